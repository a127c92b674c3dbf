import { type ComponentType, Suspense, use } from 'react'

/**
 * Returns a component whose code browsers load only when the component is first shown.
 * @param serverComponent the component itself on the server, which renders it at once; null in a browser
 * @param fallback component shown when loading fails
 */
export function lazyComponent<Props extends object>(
  serverComponent: ComponentType<Props> | null,
  load: () => Promise<ComponentType<Props>>,
  fallback: ComponentType<Props> = () => null,
) {
  let loading: Promise<ComponentType<Props>> | undefined
  const loadOnce = () => {
    loading ??= load().catch(() => fallback)
    return loading
  }
  function LazyComponent(props: Props) {
    const Component = serverComponent ?? use(loadOnce())
    return <Component {...props} />
  }
  return (props: Props) => (
    <Suspense>
      <LazyComponent {...props} />
    </Suspense>
  )
}

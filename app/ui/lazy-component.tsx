import { type ComponentType, Suspense, use } from 'react'

/**
 * Returns a component that browsers load when it is shown, since few pages need it; the server has it at hand.
 * @param atHand the component on the server, null in a browser
 * @param failing shown where loading fails
 */
export function loadedLate<Props extends object>(
  atHand: ComponentType<Props> | null,
  load: () => Promise<ComponentType<Props>>,
  failing: ComponentType<Props> = () => null,
) {
  let loading: Promise<ComponentType<Props>> | undefined
  const loaded = () => {
    loading ??= load().catch(() => failing)
    return loading
  }
  function Loaded(props: Props) {
    const Component = atHand ?? use(loaded())
    return <Component {...props} />
  }
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}

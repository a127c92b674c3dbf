const PATHS = {
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  check: 'M4 12.5l5.5 5.5L20 7',
  close: 'M5 5l14 14M19 5L5 19',
  info: 'M12 11v6M12 7v.5M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  alert: 'M12 9v5M12 17v.5M12 3l10 18H2z',
  pin: 'M12 21c5-6 7-9 7-12a7 7 0 0 0-14 0c0 3 2 6 7 12zM14.5 9a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  phone: 'M5 3h4l2 5-2.5 2a12 12 0 0 0 5.5 5.5L16 13l5 2v4c0 1-1 2-2 2C10 21 3 14 3 5c0-1 1-2 2-2z',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  lock: 'M6 11h12v10H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v2',
  card: 'M3 6h18v13H3zM3 10h18M6 15h4',
  bank: 'M3 10l9-6 9 6zM5 10v8M10 10v8M14 10v8M19 10v8M3 20h18',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  move: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  out: 'M13 4H5v16h8M10 12h10M16 8l4 4-4 4',
  key: 'M12 12l8-8M17 7l3 3M14 10l2 2M12.500 15.500a4 4 0 1 1-8 0 4 4 0 0 1 8 0z',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M15.500 15.500L21 21M17 10.500a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  user: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4 21c1-5 4-7 8-7s7 2 8 7',
  star: 'M12 3l2.700 6 6.300.600-4.800 4.200 1.500 6.400L12 16.800 6.300 20.200l1.500-6.400L3 9.600 9.300 9z',
} as const

export type IconName = keyof typeof PATHS
export const iconNames = Object.keys(PATHS) as IconName[]

/** Icon. Decorative unless `label` names it for screen readers. */
export function Icon({ name, label, className = '' }: { name: IconName; label?: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 24 24"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

// How long ago, in the two units that matter.

/** From seconds; two seconds ahead are no age, less than that is the difference of two clocks. */
export function renderAge(seconds: number): string {
  if (seconds <= -2) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${Math.floor(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', Math.floor(seconds) % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return two(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`
}

/** The age of a timestamp; both in milliseconds since 1970. */
export function ageOf(timestamp: unknown, now: number): string {
  if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>'
  const then = Date.parse(timestamp)
  return Number.isNaN(then) ? '<invalid>' : renderAge((now - then) / 1000)
}

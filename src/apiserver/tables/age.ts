// How long ago, in the few characters that a table has for it.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

export function ageText(since: unknown, now: number): string {
  if (since === undefined || since === null || since === '') return '<unknown>'
  const at = typeof since === 'string' ? Date.parse(since) : Number.NaN
  return Number.isNaN(at) ? '<invalid>' : durationText(now - at)
}

/** As `kubectl` prints durations: two units while they matter, then one. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / second)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  if (ms < 10 * minute) return pair(ms, minute, 'm', second, 's')
  if (ms < 180 * minute) return `${Math.floor(ms / minute)}m`
  if (ms < 8 * hour) return pair(ms, hour, 'h', minute, 'm')
  if (ms < 48 * hour) return `${Math.floor(ms / hour)}h`
  if (ms < 192 * hour) return pair(ms, day, 'd', hour, 'h')
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`
  if (ms < 8 * year) return pair(ms, year, 'y', day, 'd')
  return `${Math.floor(ms / year)}y`
}

function pair(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const first = Math.floor(ms / large)
  const rest = Math.floor((ms - first * large) / small)
  return rest === 0 ? `${first}${largeName}` : `${first}${largeName}${rest}${smallName}`
}

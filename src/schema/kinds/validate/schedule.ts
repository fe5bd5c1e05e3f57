// The times at which a CronJob runs, as five fields or a word; each refusal in the words of the library that the server reads them with.
import { isShortDuration } from '../../formats.ts'

interface Bounds {
  readonly least: number
  readonly most: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fields: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const words = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

/** What is wrong with a schedule, or nothing. */
export function scheduleTrouble(schedule: string): string | undefined {
  let rest = schedule
  const zone = /^(?:CRON_)?TZ=(\S*) */.exec(schedule)
  if (zone !== null) {
    rest = schedule.slice(zone[0].length)
    const [, name = ''] = zone
    if (name !== '' && !isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`
  }
  if (rest.startsWith('@')) return descriptorTrouble(rest)
  const parts = rest.split(/\s+/).filter(part => part !== '')
  if (parts.length !== fields.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [index, bounds] of fields.entries()) {
    const trouble = fieldTrouble(parts[index] ?? '', bounds)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

function descriptorTrouble(text: string): string | undefined {
  if (words.includes(text)) return undefined
  const every = '@every '
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`
  const duration = text.slice(every.length)
  return isShortDuration(duration)
    ? undefined
    : `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`
}

function fieldTrouble(text: string, bounds: Bounds): string | undefined {
  for (const range of text.split(',').filter(part => part !== '')) {
    const trouble = rangeTrouble(range, bounds)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

/** `number`, `from-to`, `*`, each with an optional `/step`. */
function rangeTrouble(range: string, bounds: Bounds): string | undefined {
  const [span = '', stepText, ...moreSteps] = range.split('/')
  const [low = '', high, ...moreHyphens] = span.split('-')
  let [start, end] = [bounds.least, bounds.most]
  if (low !== '*' && low !== '?') {
    const from = numberOf(low, bounds)
    if (typeof from === 'string') return from
    if (moreHyphens.length > 0) return `too many hyphens: ${range}`
    const to = high === undefined ? from : numberOf(high, bounds)
    if (typeof to === 'string') return to
    start = from
    // A number with a step goes on to the end of what there is.
    end = high === undefined && stepText !== undefined ? bounds.most : to
  }
  if (moreSteps.length > 0) return `too many slashes: ${range}`
  const step = stepText === undefined ? 1 : positive(stepText)
  if (typeof step === 'string') return step
  if (start < bounds.least) return `beginning of range (${start}) below minimum (${bounds.least}): ${range}`
  if (end > bounds.most) return `end of range (${end}) above maximum (${bounds.most}): ${range}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined
}

function numberOf(text: string, { names }: Bounds): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return names === months ? named + 1 : named
  return positive(text)
}

/** The number, or what is wrong with its text. */
function positive(text: string): number | string {
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
  const value = Number(text)
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value
}

/** Known to the database of zones by this very name; offsets have none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return known === name || known.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

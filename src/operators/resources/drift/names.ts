// Names as events and objects both spell them: CloudTrail says `/hostedzone/Z1` and `www.example.com.` where a manifest says `Z1` and `www`.

import { dnsName } from '../kinds/route53/ids.ts'
import { isRecord } from '../model/convert.ts'

/** An event has 256 kB: a batch of a thousand DNS records, or one document. */
const namesMax = 4_000
const depthMax = 12
/** Longer texts are documents, and no name of anything. */
const lengthMax = 2_048

/** Every text in the values, and what of it may be a name of its own: what follows the last `/` or `:`, the first part of a host. */
export function namesIn(values: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown, depth: number): void => {
    if (found.size >= namesMax || depth > depthMax) return
    if (typeof value === 'string') for (const spelling of spellings(value)) found.add(spelling)
    else if (Array.isArray(value)) for (const each of value) visit(each, depth + 1)
    else if (isRecord(value)) for (const each of Object.values(value)) visit(each, depth + 1)
  }
  for (const value of values) visit(value, 0)
  return found
}

function spellings(text: string): readonly string[] {
  if (text === '' || text.length > lengthMax) return []
  const [whole, last] = [eventName(text), lastPart(text)]
  return [whole, last, ...(last.includes('.') ? [last.slice(0, last.indexOf('.'))] : [])]
}

/** The one spelling that is compared. */
export function eventName(text: string): string {
  return dnsName(text)
}

/** Of a path or an ARN; all of it when it ends with nothing. */
export function lastPart(text: string): string {
  const whole = eventName(text)
  return whole.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf(':')) + 1) || whole
}

// Failures of AWS as text for conditions (§3.17): the same failure always reads the same, or each retry would be a status write.
import { AwsError, stableText } from '#aws'
import { redactText } from '#base'

/** What a person reads at a glance; the whole error is in the log. */
const bytesMax = 256

/** `doing` says what was tried, e.g. `put keys.json`. */
export function conditionText(doing: string, error: unknown): string {
  return boundBytes(redactText(`${doing}: ${said(error)}`), bytesMax)
}

function said(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof AwsError) return `${at.code}: ${stableText(at.message)}`
  }
  return error instanceof Error ? stableText(error.message) : stableText(String(error))
}

/** Cut to so many bytes of UTF-8, whole characters, with dots that show it. */
export function boundBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  let end = max - 3
  // A continuation byte at the cut means that the character began before it.
  while ((Number(bytes[end]) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString()}...`
}

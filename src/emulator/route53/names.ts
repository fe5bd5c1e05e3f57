// Names as Route 53 keeps them: lower case, one trailing dot, every byte outside `a-z0-9-_.` written as a three-digit octal escape,
// so that a wildcard comes back as `\052.example.com.`. Requests may use `*`, `\052`, upper case, and leave the dot out.

/** Longest label and whole name of the DNS, counted in bytes without escapes. */
const labelBytesMax = 63
const nameBytesMax = 255

export type NameProblem =
  | 'DomainLabelEmpty'
  | 'DomainLabelTooLong'
  | 'DomainNameTooLong'
  | 'DomainNameInvalidEscape'
  | 'UnsupportedCharacter'

export type NameResult =
  | { readonly ok: true; readonly name: string; readonly labels: readonly string[] }
  | { readonly ok: false; readonly problem: NameProblem; readonly text: string }

/** Brings a name into the stored form, or says what is wrong with it. */
export function parseDnsName(text: string): NameResult {
  const labels: string[] = []
  let label = ''
  let labelBytes = 0
  let bytes = 1
  const bad = (problem: NameProblem): NameResult => ({ ok: false, problem, text })
  const encoded = new TextEncoder().encode(text)
  for (let index = 0; index < encoded.length; index++) {
    let byte = encoded[index] as number
    if (byte === dot) {
      if (labelBytes === 0) return bad('DomainLabelEmpty')
      labels.push(label)
      label = ''
      bytes += labelBytes + 1
      labelBytes = 0
      continue
    }
    if (byte === backslash) {
      const octal = /^[0-3][0-7][0-7]/.exec(decodeAscii(encoded.subarray(index + 1, index + 4)))
      if (octal === null) return bad('DomainNameInvalidEscape')
      byte = Number.parseInt(octal[0], 8)
      index += 3
    } else if (byte <= space || byte >= deletion) return bad('UnsupportedCharacter')
    label += renderByte(byte)
    labelBytes++
    if (labelBytes > labelBytesMax) return bad('DomainLabelTooLong')
  }
  if (labelBytes > 0) {
    labels.push(label)
    bytes += labelBytes + 1
  }
  if (labels.length === 0) return bad('DomainLabelEmpty')
  if (bytes > nameBytesMax) return bad('DomainNameTooLong')
  return { ok: true, name: `${labels.join('.')}.`, labels }
}

/** A name that is known to be good: one of our own, or one that was parsed before. */
export function canonicalName(text: string): string {
  const parsed = parseDnsName(text)
  return parsed.ok ? parsed.name : text.toLowerCase()
}

/** Labels of a stored name. An escaped dot is `\056` there, so splitting at dots is exact. */
export function labelsOf(name: string): readonly string[] {
  return name.slice(0, -1).split('.')
}

export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

/** Text whose plain order is the order of `ListHostedZonesByName` and `ListResourceRecordSets`: by labels from the right. */
export function reversedLabels(name: string): string {
  return labelsOf(name).toReversed().join('\0')
}

/** The name one label further up, or `undefined` above a top-level name. */
export function parentName(name: string): string | undefined {
  const at = name.indexOf('.')
  const rest = name.slice(at + 1)
  return rest === '' ? undefined : rest
}

const dot = 0x2e
const backslash = 0x5c
/** What is not printed, and what is no ASCII, has to be escaped. */
const space = 0x20
const deletion = 0x7f

function renderByte(byte: number): string {
  if (byte >= 0x41 && byte <= 0x5a) return String.fromCharCode(byte + 0x20)
  const plain = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f
  return plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
}

function decodeAscii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

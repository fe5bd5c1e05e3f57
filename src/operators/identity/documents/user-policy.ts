// A Role's `policyDocument` as IAM gets it (§3.16): compact, members sorted as the API server stores them, and with the escapes that
// the API server writes, so that an adopted policy is byte for byte the same.
import type { Rendered } from './policies.ts'

/** IAM's limit for a managed policy, in characters without white space. */
export const policyLengthMax = 6144

export function renderUserPolicy(document: unknown): Rendered {
  if (typeof document !== 'object' || document === null || Array.isArray(document) || Object.keys(document).length === 0) {
    return { ok: false, message: 'spec.policyDocument must be a JSON object with at least one member' }
  }
  if (isDeeperThan(depthMax, document))
    return { ok: false, message: `spec.policyDocument is nested deeper than ${depthMax} levels, which no policy of IAM is` }
  const text = render(document).replaceAll(/[<>&\u2028\u2029]/g, escaped)
  const length = countCodePoints(text)
  if (length > policyLengthMax) {
    return {
      ok: false,
      message: `spec.policyDocument has ${length} characters; IAM takes at most ${policyLengthMax} in one policy: split it or attach managed policies`,
    }
  }
  return { ok: true, text }
}

/** Four times as deep as IAM reads. What is deeper than a call stack would end in an error that says nothing to its author. */
const depthMax = 20

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(each => isDeeperThan(levels - 1, each))
}

function render(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${render(member)}`).join(',')}}`
}

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// What does not fit between a config and a model. A name that the model lacks is a mistake or a matter of versions: configs are kept
// for the newest model, and are used with older ones. A near miss is a mistake. One name that is like nothing in the model is a
// mistake too; several are a config for another version of the model, which is reported and does not stop anybody.
import { isNear } from '#base'
import { InferError } from '../infer-error.ts'

/** `refuse`: every name must exist. `allow`: none must. `auto`: as described above. */
export type SkewPolicy = 'auto' | 'allow' | 'refuse'

export interface Missing {
  /** The name that the model lacks. */
  readonly name: string
  readonly candidates: Iterable<string>
  /** With place and nearest name. */
  readonly message: string
  /** Not fatal: the format lets it pass with a warning. */
  readonly fatal: boolean
}

export class Findings {
  readonly warnings: string[] = []
  readonly #missing: (Omit<Missing, 'candidates'> & { readonly near: boolean })[] = []

  warn(warning: string): void {
    this.warnings.push(warning)
  }

  missing({ candidates, ...entry }: Missing): void {
    this.#missing.push({ ...entry, near: isNear(entry.name, candidates) })
  }

  /** Throws the first mistake; otherwise what the config says of another version of the model. */
  judge(policy: SkewPolicy): readonly string[] {
    const fatal = this.#missing.filter(entry => entry.fatal)
    const names = new Set(this.#missing.filter(({ near }) => !near).map(({ name }) => name))
    const mistakes = policy === 'allow' ? [] : policy === 'refuse' || names.size < 2 ? fatal : fatal.filter(({ near }) => near)
    if (mistakes.length > 0) throw new InferError('unknown-name', mistakes.map(({ message }) => message).join('\n'))
    this.warnings.push(...this.#missing.filter(entry => !entry.fatal).map(({ message }) => message))
    return fatal.map(({ message }) => message)
  }
}

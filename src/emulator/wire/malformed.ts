/** Input that cannot even be read by the model: a text where a number belongs, broken JSON or XML, a form with conflicting keys. */
export class MalformedInput extends Error {
  /** The member, as validation messages write it; empty for the whole body. */
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.name = 'MalformedInput'
    this.path = path
  }
}

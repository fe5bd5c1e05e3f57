// The names by which people call a kind, as kubectl takes them: in any case, one or many, by a short name, and with its group or the
// beginning of it behind a dot.

export interface NamedKind {
  readonly kind: string
  readonly plural: string
  readonly group: string
  readonly shortNames?: readonly string[]
}

/** `Role`, `roles`, `role.iam`, `roles.iam.services.k8s.aws`. */
export function isKindNamed(name: string, { kind, plural, group, shortNames = [] }: NamedKind): boolean {
  const [word = '', ...rest] = name.toLowerCase().split('.')
  const behind = rest.join('.')
  return (
    [kind.toLowerCase(), plural, ...shortNames].includes(word) &&
    (behind === '' || group === behind || group.startsWith(`${behind}.`))
  )
}

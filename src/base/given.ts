// Optional members that somebody may have left out.

/** Those of the names whose member may be undefined. */
type LeftOut<Members> = { [Name in keyof Members]: undefined extends Members[Name] ? Name : never }[keyof Members]

/** The same members; what may be undefined may be absent. */
type Given<Members> = { readonly [Name in Exclude<keyof Members, LeftOut<Members>>]: Members[Name] } & {
  readonly [Name in LeftOut<Members>]?: Exclude<Members[Name], undefined>
}

/** Those members that are not undefined, to be spread where an optional member is absent or has a value: `{ name, ...given({ workers }) }`. */
export function given<Members extends object>(members: Members): Given<Members>
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

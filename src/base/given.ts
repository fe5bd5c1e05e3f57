// Optional members that somebody may have left out.

/** The same members; what may be undefined may be absent. */
export type Given<Members> = {
  readonly [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  readonly [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>
}

/** Those members that are not undefined, to be spread where an optional member is absent or has a value: `{ name, ...given({ workers }) }`. */
export function given<Members extends object>(members: Members): Given<Members> {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value
  return found as Given<Members>
}

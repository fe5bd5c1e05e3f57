// Members of an API, fields of a kind and keys of a config mean each other by names that differ in case and in the signs between
// words only: `KmsKeyId`, `KMSKeyID`, `kms_key_id`.

/** What two spellings of one name have in common. */
export function nameKey(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

export function sameName(a: string, b: string): boolean {
  return a === b || nameKey(a) === nameKey(b)
}

/** The property of that name, however it is spelled. */
export function propertyNamed<T>(object: Readonly<Record<string, T>>, name: string): { name: string; value: T } | undefined {
  if (Object.hasOwn(object, name)) return { name, value: object[name] as T }
  const key = nameKey(name)
  for (const [each, value] of Object.entries(object)) if (nameKey(each) === key) return { name: each, value }
  return undefined
}

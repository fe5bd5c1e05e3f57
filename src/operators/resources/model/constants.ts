// Members that an API takes and that leave no choice: a key of KMS has one policy, and it has a name.
type Constants = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const constants: Readonly<Record<string, Constants>> = {
  'kms/Key': { GetKeyPolicy: { PolicyName: 'default' }, PutKeyPolicy: { PolicyName: 'default' } },
}

/** By operation; `id` is `service/Kind`. */
export function constantsOf(id: string): Constants {
  const found = Object.hasOwn(constants, id) ? constants[id] : undefined
  return found ?? {}
}

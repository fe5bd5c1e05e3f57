// The deletion of a kind that is called otherwise in its operations than in its creation: `CreatePlatformEndpoint` makes what
// `GetEndpointAttributes` reads and `DeleteEndpoint` takes away.
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { inputOf, keyOf } from './addresses.ts'

export function deletionOf({ api, classified, loaded }: InferredService, { operations }: InferredKind): string | undefined {
  if (operations.Delete !== undefined) return operations.Delete
  const kinds = new Set([...(classified.map.get('Create')?.keys() ?? [])].map(keyOf))
  const required = (operation: string): string => [...(inputOf(api, operation)?.required ?? [])].map(keyOf).sort().join()
  const about = [operations.Get, operations.GetAttributes, operations.SetAttributes].filter(each => each !== undefined)
  for (const operation of about) {
    const noun = operation.replace(/^(?:Get|Describe|Set)(?=[A-Z])/, '').replace(/Attributes$/, '')
    const deletion = `Delete${noun}`
    if (kinds.has(keyOf(noun)) || loaded.config.ignore?.operations?.includes(deletion) === true) continue
    // It asks for what the read asks for, and for nothing else.
    if (api.operations.has(deletion) && required(deletion) !== '' && required(deletion) === required(about[0] ?? ''))
      return deletion
  }
  return undefined
}

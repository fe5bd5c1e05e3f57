// Other ways to make a resource: from a snapshot, as a copy, as a replica. A config takes the fields for them from operations of their own;
// where one of those fields is given, that operation makes the resource.

import type { ResourceMaking } from '#aws'
import { compareText } from '#base'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { inputOf, keyOf, outputOf } from './addresses.ts'

const makers = /^(?:Create|Restore|Copy|Import)(?=[A-Z])/

export function makingsOf(service: InferredService, kind: InferredKind): readonly ResourceMaking[] {
  const { api } = service
  const fields = new Map<string, string[]>()
  for (const { config, names } of kind.spec.values()) {
    const operation = config?.from?.operation
    if (operation === undefined || !makers.test(operation) || operation === kind.operations.Create) continue
    fields.set(operation, [...(fields.get(operation) ?? []), names.camel])
  }
  return [...fields]
    .filter(([operation]) => makesTheSame(service, kind, operation))
    .sort(([a], [b]) => compareText(a, b))
    .map(([operation, of]) => ({
      operation: api.operations.get(operation)?.wire ?? operation,
      fields: sourcesIn(of.sort(compareText)),
    }))
}

/** What it is made from, where that is among them: how it is made in detail asks for no other creation. */
function sourcesIn(fields: readonly string[]): readonly string[] {
  const sources = fields.filter(name => /(?:Identifier|Name|ID|ARN)$/.test(name))
  return sources.length === 0 ? fields : sources
}

/** It answers with what the creation answers with, and takes a mark where that one does. */
function makesTheSame({ api }: InferredService, { operations, config }: InferredKind, operation: string): boolean {
  const [own, other] = [outputOf(api, operations.Create), outputOf(api, operation)]
  const names = (output: typeof own): string => [...(output?.members.keys() ?? [])].sort(compareText).join()
  const tags = keyOf(config.tags?.path?.split('.')[0] ?? 'Tags')
  const takesTags = (name: string | undefined): boolean =>
    [...(inputOf(api, name)?.members.keys() ?? [])].some(each => keyOf(each) === tags)
  return own !== undefined && names(own) === names(other) && (takesTags(operation) || !takesTags(operations.Create))
}

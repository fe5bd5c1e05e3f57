// By which operation a resource is made: its own, or another where the manifest gives what only that one takes, such as a snapshot.
import type { KindModel } from './kind-model.ts'
import type { Content } from './request.ts'

export function creationOf({ kind, spec }: KindModel, wanted: Content): string {
  const isGiven = (camel: string): boolean => {
    const field = spec.named(camel)
    return field !== undefined && (wanted.spec[field.json] ?? undefined) !== undefined
  }
  const given = (kind.makings ?? []).map(({ operation, fields }) => ({ operation, count: fields.filter(isGiven).length }))
  const [most] = given.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  return most?.operation ?? kind.operations.create
}

// Queues, topics and the like go by a name that no read of theirs tells: it is what their ARN ends with.
import { tryParseArn } from '#aws'
import type { Fields } from '../api.ts'
import type { KindModel } from './kind-model.ts'
import type { Content } from './request.ts'

/** The field of the name with what the ARN says; nothing where the kind has no such field. */
export function nameByArn(model: KindModel, { arn = '' }: Pick<Content, 'arn'>): Fields {
  const field = model.spec.named(`${model.kind.resource}Name`) ?? model.spec.named('Name')
  const name = tryParseArn(arn)?.resource.split(/[/:]/).at(-1)
  return field?.type.kind !== 'string' || name === undefined || name === '' ? {} : { [field.json]: name }
}

// How a service says that a resource is not there: by the code that the config names, by what the model says of the error, or by a 404.
import { AwsError } from '#aws'
import type { KindModel } from './kind-model.ts'

/** Whether an error of a read says that the resource is not there. */
export function isAbsence(error: unknown, { kind }: KindModel): boolean {
  if (!(error instanceof AwsError)) return false
  const rule = kind.settings.errors?.['404']
  if (rule?.code !== undefined && error.code === rule.code) {
    const { messagePrefix = '', messageSuffix = '' } = rule
    return error.message.startsWith(messagePrefix) && error.message.endsWith(messageSuffix)
  }
  return error.class === 'not-found' || (error.class === 'invalid' && saysGone.test(error.message))
}

/** Some services call a name that is not there a mistake in the request, and say what they mean in words only. */
const saysGone =
  /\b(?:does not|doesn't) exist\b|\bcould not find\b|\b(?:was |is )?not found\b|\bis not owned by the current account\b/i

// Which client of AWS a place takes, and what its service is called when it is in trouble.
import type { AwsClients } from '#aws/client'
import { given } from '#base'
import type { KindModel } from '../model/kind-model.ts'
import type { Settings } from '../options.ts'
import type { Place } from './select-place.ts'

export function dependencyOf({ service }: KindModel, { account, region }: Place): string {
  return `aws ${service.alias} in ${account}/${region}`
}

/** The session's name tells the account's owner which service's kinds were worked on, and for which namespace. */
export function clientChoice({ model, settings, place }: ChoosingClient): Parameters<AwsClients['for']>[0] {
  const { service } = model
  const { region, role, externalId, sessionTags, session, endpoint } = place
  const sessionName = `vouch-${service.alias}${session === undefined ? '' : `-${session}`}`
  const tags = sessionTags?.map(({ key, value }) => ({ Key: key, Value: value }))
  const asked = given({ externalId, tags })
  return {
    model: service.model,
    region,
    userAgent: userAgentOf(model, settings),
    ...(role === undefined ? {} : { role: { roleArn: role, sessionName, ...asked } }),
    ...given({ endpoint }),
  }
}

/** The form by which AWS, and CloudTrail, know controllers of this kind. */
function userAgentOf({ type }: KindModel, { version, build }: ChoosingClient['settings']): string {
  const told = [`GitCommit/${build.commit}`, `BuildDate/${build.date}`, `CRDKind/${type.kind}`, `CRDVersion/${type.version}`]
  return `aws-controllers-k8s/${type.group}-${version === '' ? 'unknown' : version} (${told.join('; ')})`
}

interface ChoosingClient {
  readonly model: KindModel
  readonly settings: Pick<Settings, 'version' | 'build'>
  readonly place: Place
}

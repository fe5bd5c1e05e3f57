// The services we ship a representation of. Each is parsed when it is first asked for (a few milliseconds) and kept: the value is
// a constant, so keeping it is no state.
import type { ServiceModel } from '../model/service-model.ts'
import { text as acm } from './acm.gen.ts'
import { text as acmPca } from './acm-pca.gen.ts'
import { text as eks } from './eks.gen.ts'
import { text as eksAuth } from './eks-auth.gen.ts'
import { text as iam } from './iam.gen.ts'
import { text as organizations } from './organizations.gen.ts'
import { text as resourceGroupsTagging } from './resource-groups-tagging.gen.ts'
import { text as route53 } from './route53.gen.ts'
import { text as s3 } from './s3.gen.ts'
import { text as serviceQuotas } from './service-quotas.gen.ts'
import { text as sns } from './sns.gen.ts'
import { text as sqs } from './sqs.gen.ts'
import { text as sts } from './sts.gen.ts'

export type ShippedService =
  | 'acm'
  | 'acm-pca'
  | 'eks'
  | 'eks-auth'
  | 'iam'
  | 'organizations'
  | 'resource-groups-tagging'
  | 'route53'
  | 's3'
  | 'service-quotas'
  | 'sns'
  | 'sqs'
  | 'sts'

const texts: Readonly<Record<ShippedService, string>> = {
  acm,
  'acm-pca': acmPca,
  eks,
  'eks-auth': eksAuth,
  iam,
  organizations,
  'resource-groups-tagging': resourceGroupsTagging,
  route53,
  s3,
  'service-quotas': serviceQuotas,
  sns,
  sqs,
  sts,
}

/** Names of all shipped services, sorted. */
export const shippedServices: readonly ShippedService[] = Object.keys(texts) as ShippedService[]

const parsed = new Map<ShippedService, ServiceModel>()

/** The representation of a shipped service. The value is shared: treat it as the constant it is. */
export function serviceModel(name: ShippedService): ServiceModel {
  const known = parsed.get(name)
  if (known !== undefined) return known
  // Written by our own generator from a model that was checked then, so this is no input to validate.
  const model = JSON.parse(texts[name]) as ServiceModel
  parsed.set(name, model)
  return model
}

// The services whose kinds are committed: the representation of each is put together from its kinds here and its API model in #aws.
// Parsed when first asked for and kept: the value is a constant, so keeping it is no state.
import { extendedModel, type ModelAdditions, type ResourceService, serviceModel } from '#aws'
import type { CustomResourceDefinition } from '#kube'
import { text as acm } from './acm.gen.ts'
import { withColumns } from './columns.ts'
import { text as eks } from './eks.gen.ts'
import { text as iam } from './iam.gen.ts'
import { text as route53 } from './route53.gen.ts'
import { text as s3 } from './s3.gen.ts'

const texts: Readonly<Record<ShippedKinds, string>> = { acm, eks, iam, route53, s3 }

export type ShippedKinds = 'acm' | 'eks' | 'iam' | 'route53' | 's3'

/** Aliases of the services with committed kinds, sorted. */
export const shippedKinds: readonly ShippedKinds[] = Object.keys(texts) as ShippedKinds[]

export interface ServiceWithKinds {
  readonly service: ResourceService
  readonly crds: readonly CustomResourceDefinition[]
}

interface Committed extends Pick<ResourceService, 'kinds' | 'structures'> {
  readonly service: Omit<ResourceService, 'model' | 'kinds' | 'structures'>
  readonly crds: readonly CustomResourceDefinition[]
}

/** What AWS takes today and the model that we ship does not know. Nothing of it shows in a CRD. */
const additions: Partial<Record<ShippedKinds, ModelAdditions>> = {
  acm: {
    members: { CertificateOptions: { Export: { target: 'CertificateExport' } } },
    shapes: { CertificateExport: { type: 'string', enum: ['ENABLED', 'DISABLED'] } },
  },
}

const parsed = new Map<ShippedKinds, ServiceWithKinds>()

/** The kinds of a shipped service and their CRDs. The value is shared: treat it as the constant it is. */
export function shippedService(alias: ShippedKinds): ServiceWithKinds {
  const known = parsed.get(alias)
  if (known !== undefined) return known
  // Written by our own generator from a representation that was checked then, so this is no input to validate.
  const { service, kinds, structures, crds } = JSON.parse(texts[alias]) as Committed
  const made = {
    service: { ...service, kinds, structures, model: extendedModel(serviceModel(alias), additions[alias] ?? {}) },
    crds: crds.map(withColumns),
  }
  parsed.set(alias, made)
  return made
}

export function isShipped(alias: string): alias is ShippedKinds {
  return Object.hasOwn(texts, alias)
}

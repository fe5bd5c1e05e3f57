// `spec.source` and `spec.domains` in each version: which objects of the cluster ask for names, and which names may be written.
import { type Presence, type Schema, schema as s } from '#kube'
import type { ApiVersionName } from './names.ts'

type Fields = Readonly<Record<string, Schema<unknown, Presence>>>

export function domainsSchema(): Schema<unknown> {
  const domain = s.object({
    filterType: s.oneOf('Include', 'Exclude').describe('What is excluded stays out, even where it is included as well.'),
    matchType: s.oneOf('Exact', 'Pattern').describe('How it is compared.'),
    name: s.string().optional().describe('For Exact: a domain, with all below it.'),
    pattern: s.string().optional().describe('For Pattern: a regular expression of RE2.'),
  })
  return s.list(domain.describe('Names that are meant, or that are not.')).describe('Which names are written; all without it.')
}

const olderSources = ['OpenShiftRoute', 'Service', 'CRD'] as const
const newSources = ['Ingress', 'GatewayHTTPRoute'] as const
/** Of the newest version, which has all. */
export const sourceTypes: readonly string[] = [...olderSources, ...newSources]
const serviceTypes = ['NodePort', 'ExternalName', 'LoadBalancer', 'ClusterIP'] as const

export function sourceSchema(version: ApiVersionName): Schema<unknown> {
  const isNew = version === 'v1beta2'
  const fields: Fields = {
    type: s.oneOf<string>(...olderSources, ...(isNew ? newSources : [])).describe('Which objects ask for names.'),
    labelFilter: labelSelectorSchema().nullable().optional().describe('Only objects with these labels; all when empty.'),
    service: serviceSchema(isNew).optional(),
    openshiftRouteOptions: s
      .object({ routerName: s.string().describe('Ingress controller whose host name is the target.') })
      .optional()
      .describe('For OpenShiftRoute.'),
    hostnameAnnotation: s
      .oneOf('Ignore', 'Allow')
      .default('Ignore')
      .describe('Whether the annotation of the operand on an object may name its host.'),
    fqdnTemplate: s.list(s.string()).optional().describe('Go templates of the names.'),
    ...(isNew ? newSourceFields : {}),
  }
  return s.object(fields).describe('Which objects of the cluster ask for names.')
}

function serviceSchema(isNew: boolean): Schema<unknown> {
  const element: Schema<string> = isNew ? s.oneOf<string>(...serviceTypes) : s.string()
  const serviceType = s
    .list(element, { minItems: 1 })
    .default(['LoadBalancer'])
    .describe('Services of these types: NodePort, ExternalName, LoadBalancer, ClusterIP.')
  return s.object({ serviceType }).describe('For Service.')
}

const newSourceFields: Fields = {
  crd: s
    .object({
      kind: s.string({ minLength: 1 }).default('DNSEndpoint').describe('Its kind.'),
      version: s.string({ minLength: 1 }).default('externaldns.k8s.io/v1alpha1').describe('Its group and version.'),
    })
    .optional()
    .describe('For CRD.'),
  namespace: s.string({ minLength: 1 }).optional().describe('Objects of this namespace only.'),
  annotationFilter: s.string({ minLength: 1 }).optional().describe('Objects with these annotations only, as a label selector.'),
  ingressClassNames: s
    .list(s.string({ minLength: 1 }))
    .optional()
    .describe('Ingresses of these classes only.'),
}

function labelSelectorSchema(): Schema<unknown> {
  const expression = s.object({
    key: s.string().describe('Label key.'),
    operator: s.string().describe('In, NotIn, Exists or DoesNotExist.'),
    values: s.list(s.string(), { listType: 'atomic' }).optional().describe('For In and NotIn.'),
  })
  return s.object(
    {
      matchLabels: s.map(s.string()).optional().describe('Labels with these values.'),
      matchExpressions: s
        .list(expression.describe('One requirement.'), { listType: 'atomic' })
        .optional()
        .describe('Requirements that all hold.'),
    },
    { mapType: 'atomic' },
  )
}

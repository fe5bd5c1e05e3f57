// `spec` in each version.
import { type Presence, type Schema, schema as s } from '#kube'
import type { ApiVersionName } from './names.ts'
import { providerSchema } from './provider-schema.ts'
import { domainsSchema, sourceSchema } from './source-schema.ts'

type Fields = Readonly<Record<string, Schema<unknown, Presence>>>

export function specSchema(version: ApiVersionName): Schema<unknown> {
  const fields: Fields = {
    domains: domainsSchema().optional(),
    provider: providerSchema(version),
    source: sourceSchema(version),
    zones: s
      .list(s.string(), { maxItems: 10 })
      .optional()
      .describe('Ids of the zones that are written; all that the credentials can see without it.'),
    ...(version === 'v1alpha1' ? {} : { intervalSeconds: intervalSeconds.optional() }),
    ...(version === 'v1beta2' ? newFields : {}),
  }
  return s.object(fields).describe('What is wanted.')
}

const intervalSeconds = s
  .integer({ format: 'int32', minimum: 60, maximum: 3600 })
  .describe('How often the operand looks; 60 when absent.')

const newFields: Fields = {
  ownership: s
    .object({
      ownerID: s
        .string({ minLength: 1, maxLength: 63, pattern: '^[A-Za-z0-9_.-]+$' })
        .optional()
        .describe('Whose records they are; made from the name of the object without it.'),
      txtPrefix: s.string().optional().describe('Of the records that say so; external-dns- without it.'),
      policy: s.oneOf('Sync', 'UpsertOnly', 'CreateOnly').default('Sync').describe('What may become of records.'),
    })
    .optional()
    .describe('How records are told apart from those of others.'),
  zoneDiscovery: s
    .object({ mode: s.oneOf('None', 'AssumedRole', 'PlatformDNS').default('None').describe('Where zones are looked for.') })
    .optional()
    .describe('For objects that name no zones.'),
  operand: operandSchema().optional(),
  preflight: s
    .object({
      enabled: s.boolean().default(true).describe('Whether the credentials and the role are tried.'),
      intervalSeconds: s.integer({ format: 'int32', minimum: 60, maximum: 86400 }).default(600).describe('How often.'),
      simulate: s.boolean().optional().describe('Ask IAM as well whether records may be changed.'),
    })
    .optional()
    .describe('Calls that show whether the operand can work.'),
  dryRun: s.boolean().optional().describe('The operand says what it would change, and changes nothing.'),
}

function operandSchema(): Schema<unknown> {
  return s
    .object({
      logLevel: s
        .oneOf('Panic', 'Debug', 'Info', 'Warning', 'Error', 'Fatal', 'Trace')
        .default('Debug')
        .describe('How much it says.'),
      resources: s.openObject().optional().describe('Requests and limits of each container.'),
      nodeSelector: s.map(s.string()).optional().describe('Beside kubernetes.io/os: linux.'),
      tolerations: s.list(s.openObject()).optional().describe('Beside those of control plane nodes.'),
      priorityClassName: s.string({ minLength: 1 }).optional().describe('Priority of its pod.'),
      imagePullSecrets: s
        .list(s.object({ name: s.string({ minLength: 1 }) }))
        .optional()
        .describe('For its image.'),
      cleanup: s.boolean().optional().describe('Take the records away when the object goes.'),
    })
    .describe('How the operand runs.')
}

// What a Cert asks for.
import { type Presence, type Schema, schema } from '#kube'
import { group } from './labels.ts'
import { type PublishTarget, publishTargets } from './publish.ts'

export interface CertSpec {
  readonly serviceName: string
  readonly environment: string
  readonly domainName?: string
  readonly subjectAlternativeNames: readonly string[]
  readonly deleteOnRemoval: boolean
  readonly dnsZone?: { readonly id?: string; readonly name?: string }
  readonly keyAlgorithm: KeyAlgorithm
  readonly issuer?: { readonly type: 'Public' | 'PrivateCA'; readonly certificateAuthorityArn?: string }
  readonly transparencyLogging: 'Enabled' | 'Disabled'
  readonly tags: Readonly<Record<string, string>>
  readonly rotation?: { readonly deleteSuperseded: boolean; readonly retain: string }
  readonly renewal?: { readonly alertBeforeDays: number }
  readonly publish?: readonly PublishTarget[]
  readonly export?: { readonly secretName: string }
  readonly dryRun: boolean
}

export type KeyAlgorithm = 'RSA_2048' | 'EC_prime256v1' | 'EC_secp384r1'

const { boolean, integer, list, map, object, oneOf, string } = schema

const label = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
/** Permissive on purpose: upper case, a last dot and other scripts are taken and normalised; what is no name in any spelling is not. */
const domain = '^\\s*(\\*\\.)?[^\\s*_./]+(\\.[^\\s*_./]+)+\\.?\\s*$'
/** Room for blanks and a last dot around a name; the rules beside it count the name itself. */
const textMax = 300

const domainOf = (octets: number): ReturnType<typeof string> =>
  string({ minLength: 1, maxLength: textMax, pattern: domain }).rule({
    rule: `size(self.trim()) <= (self.trim().endsWith('.') ? ${octets + 1} : ${octets})`,
    message: `a name of at most ${octets} octets`,
  })

const dnsZone = object({
  id: string({ pattern: '^(/hostedzone/)?[A-Z0-9]{1,32}$' }).optional().describe('Id of the hosted zone.'),
  name: string({ maxLength: 255 }).optional().describe('Name of the zone.'),
})
  .rule({
    rule: "(has(self.id) && self.id != '') || (has(self.name) && self.name != '')",
    message: 'spec.dnsZone needs id or name',
  })
  .describe('The zone of the primary name, one of those that the operator is configured with.')

const issuer = object({
  type: oneOf('Public', 'PrivateCA').describe('Who issues: ACM for everybody, or a private authority.'),
  certificateAuthorityArn: string({
    maxLength: 2048,
    pattern: '^arn:aws[a-z-]*:acm-pca:[a-z0-9-]+:[0-9]{12}:certificate-authority/.+$',
  })
    .optional()
    .describe('The private authority; PrivateCA only.'),
})
  .rule({
    rule: "has(self.certificateAuthorityArn) == (self.type == 'PrivateCA')",
    message: 'spec.issuer.certificateAuthorityArn must be present exactly when spec.issuer.type is PrivateCA',
  })
  .describe('Who issues the certificate; ACM for everybody when absent.')

const tags = map(string({ maxLength: 256 }), { maxProperties: 40 }).rule({
  rule: `self.all(key, size(key) >= 1 && size(key) <= 128 && !key.startsWith('aws:') && !key.startsWith('${group}/'))`,
  message: `keys have 1 to 128 characters and do not begin with aws: or ${group}/`,
})

export const certSpec: Schema<CertSpec, Presence> = object({
  serviceName: string({ minLength: 1, maxLength: 63, pattern: label }).describe('Name of the service; an RFC 1123 label.'),
  environment: string({ minLength: 1, maxLength: 63, pattern: label }).describe('Its environment; an RFC 1123 label.'),
  domainName: domainOf(64).optional().describe('The primary name, instead of <serviceName>-<environment>.<zone>.'),
  subjectAlternativeNames: list(domainOf(253), { maxItems: 100, listType: 'atomic' }).default([]).describe('Further names.'),
  deleteOnRemoval: boolean()
    .default(false)
    .describe('Whether the certificate goes with this object. Without it the certificate and its records stay.'),
  dnsZone: dnsZone.optional(),
  keyAlgorithm: oneOf('RSA_2048', 'EC_prime256v1', 'EC_secp384r1').default('RSA_2048').describe('Kind of the key.'),
  issuer: issuer.optional(),
  transparencyLogging: oneOf('Enabled', 'Disabled')
    .default('Enabled')
    .describe('Whether the certificate stands in public logs; ignored for PrivateCA.'),
  tags: tags.default({}).describe('Tags of the certificate in ACM.'),
  rotation: object({
    deleteSuperseded: boolean().default(false).describe('Delete a certificate that was replaced, once nothing uses it.'),
    retain: string({ maxLength: 32, pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$' })
      .default('168h')
      .describe('How old it has to be then.'),
  })
    .optional()
    .describe('What becomes of a certificate that was replaced.'),
  renewal: object({
    alertBeforeDays: integer({ minimum: 1, maximum: 90 })
      .default(30)
      .describe('From how many days before the end an unused certificate is told in RenewalHealthy.'),
  })
    .optional()
    .describe('When renewal is a matter of concern.'),
  publish: publishTargets.optional().describe('Objects of the same namespace that get the ARN.'),
  export: object({
    secretName: string({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' }).describe(
      'A Secret of the same namespace.',
    ),
  })
    .optional()
    .describe('Requests a certificate whose key can be exported, and keeps it in a Secret.'),
  dryRun: boolean().default(false).describe('Say what would be done, and do nothing.'),
}).describe('What is asked for.')

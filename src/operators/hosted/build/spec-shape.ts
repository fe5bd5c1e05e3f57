// Whether what is read of a spec has the types that its kind declares: where the platform's own schema is not there to see to it, anything may
// stand in it, and what is no text must not become one in a command.
import { isRecord, memberAt } from '#base'

const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const areSources = (value: unknown): boolean => Array.isArray(value) && value.every(isSource)

function isSource(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { source = '', mirrors } = value
  return isText(source) && isTexts(mirrors ?? [])
}

type Shape = readonly [what: string, isOne: (value: unknown) => boolean, fields: readonly string[]]

const tlsProfile = 'configuration.apiServer.tlsSecurityProfile'

/** Port and version of TLS have words of their own (platform.ts, tls-profile.ts). */
const shapes: readonly Shape[] = [
  [
    'an object',
    isRecord,
    ['platform.aws', 'platform.azure', 'networking', 'networking.apiServer', 'configuration', 'configuration.apiServer'],
  ],
  ['an object', isRecord, [tlsProfile, `${tlsProfile}.custom`]],
  ['a text', isText, ['platform.aws.region', 'platform.azure.tenantID', 'platform.azure.cloud', `${tlsProfile}.type`]],
  ['a text', isText, ['releaseImage', 'controlPlaneReleaseImage']],
  ['a list of texts', isTexts, [`${tlsProfile}.custom.ciphers`]],
  ['a list of sources with their mirrors', areSources, ['imageContentSources']],
]

/** What is null is not there. */
export function shapeTrouble(spec: unknown): string | undefined {
  for (const [what, isOne, fields] of shapes)
    for (const field of fields) {
      const value = memberAt(spec, ...field.split('.')) ?? undefined
      if (value !== undefined && !isOne(value)) return `spec.${field} is not ${what}: write it as the platform's kind has it`
    }
  return undefined
}

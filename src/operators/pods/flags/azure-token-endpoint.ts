// The flags of the custom token endpoint (§3.11): both or neither, and an annotation that the API server takes.
import { FlagError, type FlagValues } from '#base'
import { azurePrefix, defaultAudience, type TokenEndpoint, type VolumeLayout } from '../azure/api.ts'
import type { AzureEnvironment } from './azure-environment.ts'

export function readTokenEndpoint(
  flags: FlagValues,
  { ca, endpointProxyUrl, endpointSniName }: AzureEnvironment,
  layout: VolumeLayout,
): TokenEndpoint | undefined {
  const [suffix, audience] = [flags.text('custom-token-endpoint-annotation-suffix'), flags.text('custom-token-endpoint-audience')]
  if (suffix === '' && audience === '') return undefined
  if (suffix === '') throw new FlagError('custom token endpoint annotation suffix cannot be empty when audience is set')
  if (audience === '') throw new FlagError('custom token endpoint audience cannot be empty when annotation suffix is set')
  if (layout === 'classic') throw new FlagError('the custom token endpoint needs --volume-layout=reserved')
  // In upstream's order: of two faults the first is told.
  if (audience.toLowerCase() === defaultAudience.toLowerCase())
    throw new FlagError(`custom token endpoint audience cannot be equal to default audience "${defaultAudience}"`)
  const annotation = `${azurePrefix}/use-${suffix}`
  const trouble = keyTrouble(annotation.toLowerCase())
  if (trouble !== undefined) throw new FlagError(`custom token endpoint annotation key "${annotation}" is not valid: ${trouble}`)
  return { annotation, audience, proxyUrl: endpointProxyUrl, sniName: endpointSniName, ca }
}

const mustConsist =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** What the API server says of a key that it does not take. */
function keyTrouble(key: string): string | undefined {
  const [, name = '', ...rest] = key.split('/')
  if (rest.length > 0)
    return `a qualified name ${mustConsist} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
  const troubles = [
    ...(Buffer.byteLength(name) > 63 ? ['name part must be no more than 63 bytes'] : []),
    ...(/^([a-z0-9][-a-z0-9_.]*)?[a-z0-9]$/.test(name) ? [] : [`name part ${mustConsist}`]),
  ]
  return troubles.length === 0 ? undefined : troubles.join(', ')
}

// What the hosted operator says of itself to whoever assembles programs and manifests.
import type { Operator, OperatorContext, OperatorNeeds, RunningOperator } from '#runtime'
import { leaseName } from './api/names.ts'
import { flagGroups, readHostedFlags } from './flags.ts'
import type { HostedSettings } from './settings.ts'

export const hostedOperator: Operator<HostedSettings> = {
  name: 'hosted',
  summary:
    'pod identity webhooks beside the API servers of hosted control planes: certificates, sidecars, and what the guests need',
  flags: flagGroups,
  examples: [
    {
      what: 'sidecars for hosted control planes on AWS and Azure, with one image for both',
      line: 'vouch operator --controllers=hosted --hosted-image=registry.example.com/vouch:1',
    },
  ],
  lease: leaseName,
  // Control planes are made by a platform.
  needsAPerson: true,
  shaping: [
    { kind: 'namespaces', flag: 'hosted-namespaces', everywhere: '' },
    { kind: 'any', flag: 'hosted-image-map' },
    { kind: 'any', flag: 'hosted-pull-secret' },
    { kind: 'any', flag: 'hosted-guest-kubeconfig' },
  ],
  readSettings: readHostedFlags,
  describe,
  start,
}

/** Without CRDs: the kind is the platform's, and another version of it would break the platform. */
async function describe(settings: HostedSettings): Promise<OperatorNeeds> {
  const { hostedRights } = await import('./manifests/rights.ts')
  return { crds: [], rights: { cluster: hostedRights(settings), cloud: [] }, webhooks: [], objects: [], mounts: [] }
}

async function start(settings: HostedSettings, { seams }: OperatorContext): Promise<RunningOperator> {
  const { createHostedOperator } = await import('./create-operator.ts')
  return createHostedOperator({ settings, seams })
}

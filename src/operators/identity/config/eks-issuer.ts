// The issuer of an EKS cluster: it is there already, what is missing is at most that IAM trusts it (§4.2 "Components, EKSIRSA").
import type { Condition } from '#kube'
import { conditionTypes } from '../api/conditions.ts'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { audience } from '../api/labels.ts'
import { oidcProviderChild } from '../children/build.ts'
import { upsertEntries } from '../children/entry.ts'
import { providerKind } from '../children/kinds.ts'
import type { ChildState } from '../children/state.ts'
import type { ChildWriter } from '../children/writer.ts'
import { checkExternalProvider, issuerUrl, normalizeIssuerUrl } from '../documents/issuer.ts'
import { oidcProviderName } from '../names.ts'
import { configParent, type PathDecision, providerConditions } from './issuer.ts'

/** Fields that other delivery types fill, for a status that somebody else wrote. */
const cleared = { ackResources: undefined, selfHostedIssuer: undefined, issuerHostPath: undefined, oidcProviderARN: undefined }

export function decideEksIssuer(config: WorkloadIdentityConfig, provider: ChildState, children: ChildWriter): PathDecision {
  const { eksIRSA } = config.spec
  if (eksIRSA === undefined) return invalid('spec.eksIRSA is missing')
  const location = normalizeIssuerUrl(eksIRSA.issuerURL)
  if (!location.ok) return invalid(location.message)
  const { hostPath } = location
  const { management, arn = '' } = eksIRSA.oidcProvider
  if (management === 'Managed') return decideManaged(config, hostPath, provider, children)
  const trouble =
    management === 'External'
      ? checkExternalProvider(arn, hostPath)
      : 'spec.eksIRSA.oidcProvider.management must be Managed or External'
  if (trouble !== undefined) return invalid(trouble, hostPath)
  const message = 'the existing IAM OIDC provider is that of the issuer'
  return {
    actions: [],
    conditions: [
      { type: conditionTypes.iamProviderReady, status: 'True', reason: 'Ready', message },
      { type: conditionTypes.issuerReady, status: 'True', reason: 'Ready', message },
    ],
    status: { ...cleared, issuerHostPath: hostPath, oidcProviderARN: arn },
    next: { kind: 'await-change' },
  }
}

function decideManaged(
  config: WorkloadIdentityConfig,
  hostPath: string,
  provider: ChildState,
  children: ChildWriter,
): PathDecision {
  const name = oidcProviderName(config.metadata.namespace ?? '')
  const child = oidcProviderChild(configParent(config), { name, issuerUrl: issuerUrl(hostPath), audience })
  const entries = provider.entry === undefined ? [] : [provider.entry]
  const kept = upsertEntries(config.status?.ackResources, entries, ({ kind }) => kind === providerKind.type.kind)
  return {
    actions: children.apply(child, provider),
    conditions: providerConditions(provider),
    status: {
      ...cleared,
      issuerHostPath: hostPath,
      oidcProviderARN: provider.arn,
      ackResources: kept.length === 0 ? undefined : kept,
    },
    next: { kind: 'await-change' },
  }
}

function invalid(message: string, hostPath?: string): PathDecision {
  const said = { status: 'False', reason: 'InvalidSpec', message } as const
  const conditions: readonly Condition[] = [
    { type: conditionTypes.iamProviderReady, ...said },
    { type: conditionTypes.issuerReady, ...said },
  ]
  return {
    actions: [],
    conditions,
    status: { ...cleared, issuerHostPath: hostPath },
    next: { kind: 'stalled', reason: 'InvalidSpec', message },
  }
}

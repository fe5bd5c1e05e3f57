// The CredentialsRequest on OpenShift: made, and put right where somebody changed what we asked for. Never taken away.
import { type Action, isEqualJson } from '#runtime'
import { type CredentialsRequest, credentialsRequests, wantedCredentialsRequest } from '../credentials/request.ts'
import type { DnsSeen } from './seen.ts'

export function requestActions(seen: DnsSeen): readonly Action[] {
  const wanted = wantedOf(seen)
  if (wanted === undefined) return []
  const held = seen.request
  if (held === undefined) return [{ kind: 'create', type: credentialsRequests, object: wanted }]
  if (saysTheSame(held, wanted)) return []
  const object = { ...held, spec: { ...held.spec, ...wanted.spec } }
  return [{ kind: 'update', type: credentialsRequests, object }]
}

function wantedOf({ dns, model, surroundings: { platform, settings } }: DnsSeen): CredentialsRequest | undefined {
  const { operatorNamespace } = settings
  return wantedCredentialsRequest({ name: dns.metadata.name, spec: model.spec, platform, operatorNamespace })
}

function saysTheSame({ spec: held }: CredentialsRequest, { spec: wanted }: CredentialsRequest): boolean {
  const fields = ['providerSpec', 'serviceAccountNames', 'cloudTokenPath'] as const
  const { name, namespace } = wanted.secretRef
  return (
    fields.every(field => isEqualJson(held[field], wanted[field])) &&
    held.secretRef?.name === name &&
    held.secretRef.namespace === namespace
  )
}

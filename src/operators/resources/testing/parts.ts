// A claim and what its place depends on, with nothing special about either.
import assert from 'node:assert/strict'
import { type Resource } from '../api.ts'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import type { PlaceInput } from '../place/select-place.ts'
import { shippedService } from '../services/shipped.ts'

export type { PlaceInput } from '../place/select-place.ts'

export function at(more: Partial<PlaceInput>, claim: object = {}): PlaceInput {
  return {
    claim: {
      apiVersion: 'iam.services.k8s.aws/v1alpha1',
      kind: 'Role',
      metadata: { namespace: 'default', name: 'one', uid: 'u1', resourceVersion: '1', generation: 1 },
      ...claim,
    } as Resource,
    service: 'iam',
    namespaceAnnotations: {},
    home: { account: '111122223333', partition: 'aws', region: 'eu-west-1' },
    maps: { accounts: undefined, teams: undefined },
    carm: true,
    serviceLevelCarm: false,
    teamLevelCarm: false,
    ...more,
  }
}

export function modelOf(service: 'iam' | 'acm' | 'eks' | 's3' | 'route53', kind: string): KindModel {
  const found = shippedService(service).service
  const one = found.kinds[kind]
  assert.ok(one)
  return kindModel(found, one)
}

// A claim and what its place depends on, with nothing special about either.
import type { Resource } from '#operators/resources'
import type { PlaceInput } from '../../src/operators/resources/place/select-place.ts'

export type { PlaceInput } from '../../src/operators/resources/place/select-place.ts'

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

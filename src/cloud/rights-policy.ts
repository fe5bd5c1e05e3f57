// What an operator says that it needs in AWS, as the policy document that a person grants it.
import { given } from '#base'
import type { CloudPermission } from '#runtime'

export interface RightsPolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly object[]
}

/** One statement for what is allowed alike: a managed policy has room for 6,144 characters. */
export function rightsPolicy(permissions: readonly CloudPermission[]): RightsPolicy {
  const alike = Map.groupBy(permissions, ({ resources, conditions }) => JSON.stringify([resources, conditions]))
  return { Version: '2012-10-17', Statement: [...alike.values()].map(statementOf) }
}

function statementOf(permissions: readonly CloudPermission[]): object {
  const [{ resources, conditions } = { resources: [] }] = permissions
  const Action = [...new Set(permissions.flatMap(({ actions }) => actions))].sort()
  return { Effect: 'Allow', Action, Resource: resources, ...given({ Condition: conditions }) }
}

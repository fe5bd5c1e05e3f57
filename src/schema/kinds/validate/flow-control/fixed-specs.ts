// The specs of flow control that are there in every cluster and are what they are, and any spec as a real server shows it.
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { objectOf, shownList } from '../checks.ts'

function everything(groups: readonly string[]): JsonObject {
  return {
    subjects: groups.map(name => ({ kind: 'Group', group: { name } })),
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }
}

export const fixedFlows: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [everything(['system:masters'])],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [everything(['system:unauthenticated', 'system:authenticated'])],
    },
  ],
])

export const fixedLevels: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['exempt', { type: 'Exempt' }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  ],
])

/** With all its fields, under the names that they have in Go. */
export function shownFlow({
  priorityLevelConfiguration,
  matchingPrecedence,
  distinguisherMethod,
  rules,
}: JsonObject): JsonObject {
  return {
    PriorityLevelConfiguration: { Name: objectOf(priorityLevelConfiguration).name ?? '' },
    MatchingPrecedence: matchingPrecedence ?? 0,
    DistinguisherMethod: isObject(distinguisherMethod) ? { Type: distinguisherMethod.type ?? '' } : null,
    Rules: shownList(rules, shownRule),
  }
}

function shownRule({ subjects, resourceRules, nonResourceRules }: JsonObject): JsonObject {
  return {
    Subjects: shownList(subjects, shownSubject),
    ResourceRules: shownList(resourceRules, shownResources),
    NonResourceRules: shownList(nonResourceRules, ({ verbs = null, nonResourceURLs = null }) => ({
      Verbs: verbs,
      NonResourceURLs: nonResourceURLs,
    })),
  }
}

function shownSubject({ kind = '', user, group, serviceAccount }: JsonObject): JsonObject {
  const named = (subject: Json | undefined): Json => (isObject(subject) ? { Name: subject.name ?? '' } : null)
  const account = isObject(serviceAccount) ? { Namespace: serviceAccount.namespace ?? '', Name: serviceAccount.name ?? '' } : null
  return { Kind: kind, User: named(user), Group: named(group), ServiceAccount: account }
}

function shownResources(rule: JsonObject): JsonObject {
  const { verbs = null, apiGroups = null, resources = null, clusterScope = false, namespaces = null } = rule
  return { Verbs: verbs, APIGroups: apiGroups, Resources: resources, ClusterScope: clusterScope, Namespaces: namespaces }
}

export function shownLevel({ type = '', limited, exempt }: JsonObject): JsonObject {
  return { Type: type, Limited: shownLimits(limited), Exempt: shownExempt(exempt) }
}

function shownLimits(limited: Json | undefined): Json {
  if (!isObject(limited)) return null
  const { nominalConcurrencyShares = 0, limitResponse, lendablePercent = 0, borrowingLimitPercent = null } = limited
  const { type = '', queuing } = objectOf(limitResponse)
  return {
    NominalConcurrencyShares: nominalConcurrencyShares,
    LimitResponse: { Type: type, Queuing: shownQueues(queuing) },
    LendablePercent: lendablePercent,
    BorrowingLimitPercent: borrowingLimitPercent,
  }
}

function shownQueues(queuing: Json | undefined): Json {
  if (!isObject(queuing)) return null
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing
  return { Queues: queues, HandSize: handSize, QueueLengthLimit: queueLengthLimit }
}

function shownExempt(exempt: Json | undefined): Json {
  if (!isObject(exempt)) return null
  const { nominalConcurrencyShares = 0, lendablePercent = 0 } = exempt
  return { NominalConcurrencyShares: nominalConcurrencyShares, LendablePercent: lendablePercent }
}

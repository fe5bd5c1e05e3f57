import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { type Facts, summarize } from './summary.ts'

const said = (type: string, status: Condition['status'], reason = 'Said', message = `${type} says ${reason}`): Condition => ({
  type,
  status,
  reason,
  message,
})
const ofDeployment = ['DeploymentAvailable', 'DeploymentReplicasMinAvailable', 'DeploymentReplicasAllAvailable', 'PodsScheduled']
const well = ofDeployment.map(type => said(type, 'True'))
const facts = (more: Partial<Facts> = {}): Facts => ({
  conditions: well,
  invalid: undefined,
  fatal: undefined,
  stuck: undefined,
  requestMessage: undefined,
  ...more,
})

/** From what somebody has to mend first to what comes last: each makes the object unavailable for its own reason. */
const troubles: readonly (readonly [why: string, reason: string, message: string, facts: Partial<Facts>])[] = [
  ['a spec of which nothing can be made', 'InvalidSpec', 'odd', { invalid: 'odd' }],
  [
    'an operand that cannot do it',
    'OperandIncompatible',
    'OperandCompatible says Said',
    { conditions: [said('OperandCompatible', 'False')] },
  ],
  [
    'a Secret that cannot be read',
    'AuthenticationFailed',
    'CredentialsValid says InvalidSecret',
    { conditions: [said('CredentialsValid', 'False', 'InvalidSecret')] },
  ],
  [
    'a Secret that is not there',
    'CredentialsMissing',
    'CredentialsSecretExists says Said',
    { conditions: [said('CredentialsSecretExists', 'False')] },
  ],
  [
    'authorities that are not there',
    'DeploymentUnavailable',
    'TrustedCAReady says Said',
    { conditions: [said('TrustedCAReady', 'False')] },
  ],
  [
    'credentials that are refused',
    'AuthenticationFailed',
    'CredentialsValid says Said',
    { conditions: [said('CredentialsValid', 'False')] },
  ],
  ['a role that is refused', 'AuthenticationFailed', 'RoleAssumable says Said', { conditions: [said('RoleAssumable', 'False')] }],
  [
    'records that nobody may write for want of credentials',
    'AuthenticationFailed',
    'RecordsSynced says AuthenticationFailed',
    { conditions: [said('RecordsSynced', 'False', 'AuthenticationFailed')] },
  ],
  ['zones that are closed', 'ZoneAccessDenied', 'ZonesAccessible says Said', { conditions: [said('ZonesAccessible', 'False')] }],
  [
    'records that nobody may write for want of a right',
    'ZoneAccessDenied',
    'RecordsSynced says AccessDenied',
    { conditions: [said('RecordsSynced', 'False', 'AccessDenied')] },
  ],
  ['an operand that ends', 'OperandCrashing', 'it ended', { fatal: { reason: 'Crashed', message: 'it ended' } }],
  ['a container that does not start', 'DeploymentUnavailable', 'no image', { stuck: 'no image' }],
  [
    'pods that find no place',
    'DeploymentUnavailable',
    'PodsScheduled says PodsNotScheduled',
    { conditions: [said('DeploymentAvailable', 'False'), said('PodsScheduled', 'False', 'PodsNotScheduled')] },
  ],
  [
    'a Deployment that is not available',
    'DeploymentUnavailable',
    'DeploymentAvailable says Said',
    { conditions: [said('DeploymentAvailable', 'False'), ...well.slice(1)] },
  ],
  ['records that are not written', 'SyncFailing', 'RecordsSynced says Said', { conditions: [said('RecordsSynced', 'False')] }],
]

/** Beside what is told of the Deployment, unless the trouble is the Deployment's. */
function withWell({ conditions = [], ...rest }: Partial<Facts>): Facts {
  const told = conditions.some(({ type }) => ofDeployment.includes(type)) ? conditions : [...conditions, ...well]
  return facts({ ...rest, conditions: told })
}

for (const [why, reason, message, of] of troubles)
  test(`${why} is summed up as ${reason}`, () =>
    assert.deepEqual(summarize(withWell(of)), { type: 'Available', status: 'False', reason, message }))

test('of two troubles the one that comes first has to be mended first', () => {
  // What is said of one condition, and what is said of the Deployment, can only be one of them at a time.
  const subject = ({ conditions = [] }: Partial<Facts>): string =>
    conditions.map(({ type }) => (ofDeployment.includes(type) ? 'Deployment' : type))[0] ?? ''
  for (const [index, [why, reason, message, first]] of troubles.entries())
    for (const [laterWhy, , , later] of troubles.slice(index + 1)) {
      if (subject(first) !== '' && subject(first) === subject(later)) continue
      const conditions = [...(later.conditions ?? []), ...(first.conditions ?? [])]
      const found = summarize(withWell({ ...later, ...first, conditions }))
      assert.deepEqual([found.reason, found.message], [reason, message], `${why}, and ${laterWhy}`)
    }
})

test('all is well where the Deployment is, and nothing that is not known or does not hold yet speaks against it', () => {
  const unknown = ['CredentialsValid', 'ZonesAccessible', 'RecordsSynced'].map(type => said(type, 'Unknown'))
  const { status, reason } = summarize(facts({ conditions: [...unknown, ...well] }))
  assert.deepEqual([status, reason], ['True', 'Available'])
})

test('a Deployment that nobody has judged is not available, and is told by the first that is missing or does not hold', () => {
  for (const [conditions, message] of [
    [[], 'The deployment does not exist yet.'],
    [well.slice(1), 'The deployment does not exist yet.'],
    [[...well.slice(0, 3), said('PodsScheduled', 'Unknown')], 'PodsScheduled says Said'],
    [
      [...well.slice(0, 2), said('DeploymentReplicasAllAvailable', 'False'), ...well.slice(3)],
      'DeploymentReplicasAllAvailable says Said',
    ],
  ] as const)
    assert.deepEqual(summarize(facts({ conditions })), {
      type: 'Available',
      status: 'False',
      reason: 'DeploymentUnavailable',
      message,
    })
})

test('an operand that ends for what its spec says cannot do it, and what the platform says of credentials is repeated', () => {
  const { reason } = summarize(facts({ fatal: { reason: 'InvalidSpec', message: 'no such flag' } }))
  assert.equal(reason, 'OperandIncompatible')
  const missing = { conditions: [said('CredentialsSecretExists', 'False'), ...well], requestMessage: 'not today' }
  assert.equal(summarize(facts(missing)).message, 'CredentialsSecretExists says Said The platform says: not today')
})

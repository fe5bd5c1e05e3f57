// What is decided for the half in the guest, from what is seen alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject, StoredObject } from '#kube'
import { upstreamChoices } from '../build/choices.ts'
import { buildGuestObjects } from '../build/guest-objects.ts'
import { issueSecret } from '../build/secrets.ts'
import { settings } from '../testing/hosted-world.ts'
import { drawnKey, now, owner, planeWith, plansOf, specOf, storedAuthority } from '../testing/secrets.fixture.ts'
import type { GuestAccess } from './access.ts'
import { decideGuest } from './decide.ts'
import type { GuestHeld, GuestPlaneSeen } from './seen.ts'
import { decideTrust } from './trust.ts'

const drawn = await drawnKey()
const [serving] = plansOf('Azure')
const { certificate: root } = serving.issuer
const earlier = plansOf('Azure', { root: 2 })[0].issuer.certificate
const access: GuestAccess = { kind: 'access', kubeconfig: '{}', fingerprint: 'f' }

const kept = <T extends KubeObject>(object: T): T & StoredObject => ({
  ...object,
  metadata: { uid: 'u', resourceVersion: '1', ...object.metadata, name: object.metadata.name ?? '' },
})

function heldWith(authorities = root, choices = settings.choices): GuestHeld {
  const { role, binding, configuration } = buildGuestObjects('Azure', authorities, choices)
  return { role: kept(role), binding: kept(binding), configuration: kept(configuration) }
}

const rest = heldWith()

/** At rest, on Azure. */
function seenWith(parts: Partial<GuestPlaneSeen> = {}): GuestPlaneSeen {
  return {
    key: { cluster: '', namespace: 'hcp-namespace', name: 'hcp' },
    cluster: 'hcp-namespace.hcp',
    plane: planeWith(specOf('Azure')),
    settings,
    rootCa: storedAuthority('root-ca', 0),
    serving: issueSecret(serving, undefined, owner, { drawn, now }),
    access,
    isConnected: true,
    isMember: true,
    guest: { kind: 'reachable', held: rest },
    heldUntil: () => undefined,
    ...parts,
  }
}

function told(parts: Partial<GuestPlaneSeen>): object {
  const { actions, conditions, next } = decideGuest(seenWith(parts), now)
  return {
    actions: actions.map(action =>
      'type' in action && typeof action.type !== 'string' ? `${action.kind} ${action.type.plural}` : action.kind,
    ),
    said: conditions.map(({ status, reason }) => `${status} ${reason}`),
    next: next.kind === 'look-again' ? next.afterMs : next.kind,
  }
}

const holding = (held: Partial<GuestHeld>): Partial<GuestPlaneSeen> => ({
  guest: { kind: 'reachable', held: { ...rest, ...held } },
})
const saying = (said: string, actions: readonly string[] = [], next: number | string = 'await-change'): object => ({
  actions,
  said: [said],
  next,
})
const silent = (actions: readonly string[] = [], next: number | string = 'await-change'): object => ({ actions, said: [], next })
const put = (verb: string): readonly string[] => [`${verb} mutatingwebhookconfigurations`, 'act:note']

const { role, binding, configuration } = rest
assert.ok(role !== undefined && binding !== undefined && configuration !== undefined)
const [webhook] = configuration.webhooks
assert.ok(webhook !== undefined)
const filledIn = {
  ...webhook,
  timeoutSeconds: 10,
  namespaceSelector: {},
  rules: [{ ...(webhook['rules'] as readonly object[])[0], scope: '*' }],
}
const withWebhook = (more: object): Partial<GuestHeld> => ({
  configuration: { ...configuration, webhooks: [{ ...webhook, ...more }] },
})
const onNone = planeWith({ platform: { type: 'None' } })
const deleted = planeWith(specOf('Azure'), { deletionTimestamp: 'now' })
const withoutCertificate = { ...storedAuthority('root-ca', 0), data: {} }
const unknown = (lookAgainMs: number) => ({ guest: { kind: 'unknown', message: 'it is being listed', lookAgainMs } as const })
const until = (when: number) => () => now + when

const rows: readonly (readonly [what: string, parts: Partial<GuestPlaneSeen>, plan: object])[] = [
  ['all is as it should be', {}, saying('True InPlace')],
  ['the control plane is gone', { plane: undefined }, silent(['act:leave'])],
  ['the control plane is being deleted', { plane: deleted }, silent(['act:leave'])],
  ['it is being deleted and was never connected', { plane: deleted, isMember: false }, silent()],
  ['switched off', { plane: onNone }, silent(['act:leave'])],
  [
    'paused',
    { plane: planeWith({ ...specOf('Azure'), pausedUntil: 'true' }), ...holding({ role: undefined }) },
    saying('Unknown Paused'),
  ],
  ['the spec has no platform', { plane: planeWith({}) }, saying('False PlatformBlockMissing')],
  ['there is no way in', { access: undefined }, saying('False GuestKubeconfigMissing')],
  ['the way in leads nowhere', { access: { kind: 'unusable', message: 'why' } }, saying('False GuestKubeconfigUnusable')],
  ['not connected by this way in', { isConnected: false }, silent(['act:connect'])],
  ['not looked at yet', unknown(0), silent([], 1_000)],
  ['not looked at for a while', unknown(5_000), silent([], 5_000)],
  [
    'away',
    { guest: { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'why' } },
    saying('False RemoteClusterUnavailable'),
  ],
  ['no root authority', { rootCa: undefined }, saying('False AuthorityMissing')],
  ['a root authority without a certificate', { rootCa: withoutCertificate }, saying('False AuthorityUnusable')],
  [
    'nothing is in the guest',
    holding({ role: undefined, binding: undefined, configuration: undefined }),
    saying('True InPlace', ['create clusterroles', 'create clusterrolebindings', ...put('create')]),
  ],
  ['its role gives more', holding({ role: { ...role, rules: [] } }), saying('True InPlace', ['update clusterroles'])],
  [
    'its binding gives it to others',
    holding({ binding: { ...binding, subjects: [] } }),
    saying('True InPlace', ['update clusterrolebindings']),
  ],
  [
    'its binding gives something else',
    holding({ binding: { ...binding, roleRef: { ...binding.roleRef, name: 'cluster-admin' } } }),
    saying('True InPlace', ['delete clusterrolebindings', 'create clusterrolebindings']),
  ],
  ['the API server filled in what nobody said', holding(withWebhook(filledIn)), saying('True InPlace')],
  ['another time was written', holding(withWebhook({ timeoutSeconds: 11 })), saying('True InPlace', put('update'))],
  ['the webhook refuses pods', holding(withWebhook({ failurePolicy: 'Fail' })), saying('True InPlace', put('update'))],
  [
    'somebody changes it each time',
    { ...holding(withWebhook({ failurePolicy: 'Fail' })), heldUntil: until(4_000) },
    saying('False Contested', [], 4_000),
  ],
  ['what nobody changes was held once', { heldUntil: until(4_000) }, saying('True InPlace')],
  [
    'it trusts an earlier authority',
    holding({ configuration: heldWith(earlier).configuration }),
    saying('True InPlace', put('update'), 600_000),
  ],
  [
    'it trusts an earlier authority, in upstream’s form',
    { settings: { ...settings, choices: upstreamChoices }, ...holding(heldWith(earlier, upstreamChoices)) },
    saying('True InPlace', put('update')),
  ],
]

for (const [what, parts, plan] of rows)
  test(`the half in the guest: ${what} [4.12]`, () => {
    assert.deepEqual(told(parts), plan)
  })

test('the configuration is remembered by the control plane, and what others wrote on it stays [4.12, B12]', () => {
  const edited = withWebhook({ failurePolicy: 'Fail' }).configuration
  assert.ok(edited !== undefined)
  const labelled = { ...edited, metadata: { ...edited.metadata, labels: { theirs: 'yes' } } }
  const { actions } = decideGuest(seenWith(holding({ configuration: labelled })), now)
  const wanted = buildGuestObjects('Azure', root, settings.choices).configuration.webhooks
  const [update, note] = actions
  assert.ok(update?.kind === 'update' && note?.kind === 'act:note')
  assert.deepEqual(update.object, { ...labelled, webhooks: wanted })
  assert.deepEqual([note.uid, note.wanted], ['u-1', wanted])
})

const signedAt = (at: number, which = 0) =>
  issueSecret(plansOf('Azure', { root: which })[0], undefined, owner, { drawn, now: at })
const trusting = (authorities: string) => heldWith(authorities).configuration
const both = `${root.trim()}\n${earlier.trim()}\n`

const trusts: readonly (readonly [
  what: string,
  parts: Partial<Parameters<typeof decideTrust>[0]>,
  authorities: string,
  settlesInMs?: number,
])[] = [
  ['nothing was trusted before', { configuration: undefined }, root],
  ['nothing else was trusted before', {}, root],
  ['another one was, and the sidecar’s certificate was signed just now', { configuration: trusting(earlier) }, both, 600_000],
  [
    'another one was, and it was signed a minute ago',
    { configuration: trusting(earlier), serving: signedAt(now - 60_000) },
    both,
    540_000,
  ],
  [
    'another one was, until a second before ten minutes are over',
    { configuration: trusting(earlier), serving: signedAt(now - 599_000) },
    both,
    1_000,
  ],
  ['another one was, and ten minutes are over', { configuration: trusting(earlier), serving: signedAt(now - 600_000) }, root],
  ['another one was, and nothing is signed yet', { configuration: trusting(earlier), serving: undefined }, both, 600_000],
  [
    'another one was, and it is still signed by that',
    { configuration: trusting(earlier), serving: signedAt(now - 3_600_000, 2) },
    both,
    600_000,
  ],
  ['both are trusted already', { configuration: trusting(both) }, both, 600_000],
]

for (const [what, parts, authorities, settlesInMs] of trusts)
  test(`whom a guest trusts: ${what} [4.13 #1]`, () => {
    const seen = { root, serving: signedAt(now), configuration: rest.configuration, ...parts }
    assert.deepEqual(decideTrust(seen, now), settlesInMs === undefined ? { authorities } : { authorities, settlesInMs })
  })

test('an earlier authority is trusted to the last moment of its ten minutes [4.13 #1]', () => {
  const seen = { root, serving: signedAt(now - 600_000), configuration: trusting(earlier) }
  assert.deepEqual(decideTrust(seen, now - 1), { authorities: both, settlesInMs: 1 })
})

test('what is said of a guest names the sidecar, and what is not known yet changes nothing that was said [4.12]', () => {
  const message = (parts: Partial<GuestPlaneSeen>): unknown => decideGuest(seenWith(parts), now).conditions[0]?.message
  assert.equal(message({}), 'the guest asks azure-workload-identity-webhook about its pods')
  assert.equal(
    message({ ...holding({ configuration: undefined }), heldUntil: until(4_000) }),
    `somebody in the guest changes ${configuration.metadata.name} each time; let one of the two go on`,
  )
  const why = 'it is being listed'
  assert.deepEqual(decideGuest(seenWith(unknown(5_000)), now).next, {
    kind: 'look-again',
    afterMs: 5_000,
    why,
    leavesStatus: true,
  })
})

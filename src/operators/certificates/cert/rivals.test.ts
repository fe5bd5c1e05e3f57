// Which of two Certs keeps a name that both ask for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reads } from '#runtime'
import type { CertStatus } from '../api/status.ts'
import type { Cert, CertSpec } from '../api.ts'
import { certSeen, primary, zone } from '../testing/cert-seen.fixture.ts'
import { findRival, firstLabel, firstLabelOf, labelIndex } from './rivals.ts'

interface About {
  readonly uid?: string
  readonly made?: string
  readonly spec?: Partial<CertSpec>
  readonly status?: CertStatus
  readonly metadata?: object
}

function certOf({ uid = 'uid-1', made = '2026-05-01T00:00:00Z', spec = {}, status, metadata = {} }: About): Cert {
  const { claim } = certSeen({
    spec,
    ...(status === undefined ? {} : { status }),
    metadata: { uid, creationTimestamp: made, namespace: `ns-${uid}`, ...metadata },
  })
  return claim ?? assert.fail()
}

const registry = { zones: [zone] }
const own = certOf({})

/** By the index, as the caches hold it. */
function rivalOf(claim: Cert, ...others: readonly Cert[]): unknown {
  const byIndex = (_: unknown, __: unknown, label: string): readonly Cert[] =>
    [claim, ...others].filter(each => labelIndex.of(each as never).includes(label))
  return findRival(claim, { primary }, { world: { byIndex } as unknown as Pick<Reads, 'byIndex'>, registry })
}

const earlier = '2026-04-01T00:00:00Z'
for (const [what, other, isRival] of [
  ['an earlier one', { made: earlier }, true],
  ['a later one', { made: '2026-06-01T00:00:00Z' }, false],
  ['one of the same second with a smaller uid', { uid: 'uid-0' }, true],
  ['one of the same second with a greater uid', {}, false],
  ['an earlier one of another name', { made: earlier, spec: { environment: 'test' } }, false],
  ['an earlier one that writes the name out', { made: earlier, spec: { serviceName: 'x', domainName: `${primary}.` } }, true],
  [
    'an earlier one that was given the name, when the zone was another one',
    {
      made: earlier,
      spec: { dnsZone: { name: 'gone.dev' } },
      status: { certificateArn: 'arn', domainName: primary },
    },
    true,
  ],
  ['itself', { uid: 'uid-1', made: earlier }, false],
] satisfies readonly (readonly [string, About, boolean])[])
  test(`${what} ${isRival ? 'has' : 'has not'} the name before a Cert [7.4 #6]`, () => {
    const found = rivalOf(own, certOf({ uid: 'uid-2', ...other }))
    const uid = 'uid' in other ? other.uid : 'uid-2'
    assert.deepEqual(found, isRival ? { namespace: `ns-${uid}`, name: 'api', isDeleting: false } : undefined)
  })

test('one that goes has its name until it is gone [7.4 #6]', () => {
  const going = certOf({ uid: 'uid-2', made: earlier, metadata: { deletionTimestamp: '2026-05-02T00:00:00Z' } })
  assert.deepEqual(rivalOf(own, going), { namespace: 'ns-uid-2', name: 'api', isDeleting: true })
})

test('who has no name has no rival', () => {
  const world = { byIndex: () => assert.fail('nothing is asked') } as unknown as Pick<Reads, 'byIndex'>
  assert.equal(findRival(own, { primary: undefined }, { world, registry }), undefined)
})

test('a wildcard begins with the label behind it, and what is generated with the two words [7.4 #6]', () => {
  assert.deepEqual(['api.dev', '*.api.dev', '*', ''].map(firstLabel), ['api', '*.api', '*.', ''])
  assert.equal(firstLabelOf(own.spec), 'api-prod')
  assert.equal(firstLabelOf({ ...own.spec, domainName: '' }), 'api-prod')
  assert.equal(firstLabelOf({ ...own.spec, domainName: 'WWW.example.com' }), 'www')
})

test('a Cert is found by what it asks for and by what it was given, by each once [7.4 #6]', () => {
  const labels = (status?: CertStatus) => labelIndex.of(certOf(status === undefined ? {} : { status }) as never)
  assert.deepEqual(labels(), ['api-prod'])
  assert.deepEqual(labels({ domainName: primary }), ['api-prod'])
  assert.deepEqual(labels({ domainName: 'old.example.com' }), ['api-prod', 'old'])
})

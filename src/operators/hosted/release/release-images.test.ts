// Release images as registries give them, and as they give them wrongly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ManualClock } from '#base'
import type { ImageContentSource } from '../api/kinds.ts'
import {
  bytesOf,
  digestOf,
  mirrorHost,
  moveToMirror,
  ok,
  payloadLayer,
  pullSecretText,
  putRelease,
  registryHost,
  type TestRegistry,
  tarOf,
  testRegistry,
} from '../testing/registry.fixture.ts'
import { parseImageReference } from './image-reference.ts'
import { placesOf } from './mirrors.ts'
import { ReleaseImages, type ReleaseSeen } from './release-images.ts'

const images = { 'azure-workload-identity-webhook': 'quay.example.com/ocp@sha256:aa' }
const base = gzipSync(tarOf({ 'etc/os-release': 'base' }))
const never = new AbortController().signal

interface Opened {
  readonly registry: TestRegistry
  readonly clock: ManualClock
  ask(release: string, pullSecret?: string, mirrors?: readonly ImageContentSource[]): Promise<ReleaseSeen>
}

function open(): Opened {
  const registry = testRegistry()
  const clock = new ManualClock()
  const releases = new ReleaseImages({ net: registry.net, clock })
  return {
    registry,
    clock,
    ask: (release, pullSecret = pullSecretText, mirrors = []) => releases.imagesOf({ release, pullSecret, mirrors }, never),
  }
}

async function whyOf({ ask }: Opened, release: string, pullSecret?: string): Promise<string> {
  const seen = await ask(release, pullSecret)
  assert.ok(seen.kind === 'unreadable')
  return seen.why
}

test('the images of a release are read from its last layer, by a login that whoever stores the layers never sees [S-04, 4.3.2]', async () => {
  const opened = open()
  const release = putRelease(opened.registry, { layers: [base, payloadLayer(images)] })
  const seen = await opened.ask(release)
  assert.ok(seen.kind === 'images')
  assert.deepEqual([...seen.images], Object.entries(images))
  const { asked } = opened.registry
  assert.equal(asked[0]?.endsWith(' !'), false)
  assert.equal(asked[1], 'login.example.com /token?service=registry&scope=repository%3Aocp%2Frelease%3Apull !')
  assert.deepEqual(
    asked.filter(line => line.startsWith('store.')).map(line => line.endsWith(' !')),
    [false],
  )
})

test('what a digest names is read once, and what a tag names again after ten minutes', async () => {
  const { registry, clock, ask } = open()
  const release = putRelease(registry, { layers: [payloadLayer(images)] })
  await ask(release)
  const calls = registry.asked.length
  await clock.advance(86_400_000)
  await ask(release, 'of another control plane')
  assert.equal(registry.asked.length, calls)
  const [, digest = ''] = release.split('@')
  const tagged = release.replace(/@.*/, ':4.21.0')
  const manifests = `${registryHost} /v2/ocp/release/manifests/`
  registry.answers.set(`${manifests}4.21.0`, registry.answers.get(`${manifests}${digest}`) ?? ok(bytesOf('')))
  assert.equal((await ask(tagged)).kind, 'images')
  const afterTag = registry.asked.length
  await clock.advance(599_000)
  await ask(tagged)
  assert.equal(registry.asked.length, afterTag)
  await clock.advance(2_000)
  await ask(tagged)
  assert.ok(registry.asked.length > afterTag)
})

test('a registry that is away is asked again after a minute, and another pull secret at once', async () => {
  const opened = open()
  const { registry, clock, ask } = opened
  const release = putRelease(registry, { layers: [payloadLayer(images)] })
  registry.isAway = true
  assert.equal(await whyOf(opened, release), 'its registry does not answer')
  registry.isAway = false
  assert.equal((await ask(release)).kind, 'unreadable')
  assert.equal((await ask(release, '{}')).kind, 'unreadable')
  await clock.advance(60_000)
  assert.equal((await ask(release)).kind, 'images')
})

test('a layer or manifest that is not what its digest names is refused', async () => {
  for (const what of ['manifests', 'stored']) {
    const opened = open()
    const release = putRelease(opened.registry, { layers: [payloadLayer(images)] })
    for (const [key, answer] of opened.registry.answers)
      if (key.includes(`/${what}/`) && answer.status === 200)
        opened.registry.answers.set(key, ok(payloadLayer({ evil: 'image' })))
    assert.equal(await whyOf(opened, release), 'the registry gives something else than the digest names')
  }
})

const wrongLayers: Readonly<Record<string, readonly [layer: Uint8Array, why: string]>> = {
  'no gzip': [Buffer.from('plain'), 'a layer is not packed by gzip'],
  'no tar': [gzipSync(Buffer.alloc(1_024, 'x')), 'a layer is no tar archive'],
  'cut short': [
    gzipSync(tarOf({ 'release-manifests/image-references': 'x'.repeat(9_000) }).subarray(0, 2_048)),
    'a layer is cut short',
  ],
  'no such file': [gzipSync(tarOf({ 'release-manifests/other': '{}' })), 'it has no release-manifests/image-references'],
  'no JSON': [gzipSync(tarOf({ 'release-manifests/image-references': '{' })), 'what it says is no JSON'],
  'no tags': [gzipSync(tarOf({ 'release-manifests/image-references': '{}' })), 'release-manifests/image-references has no tags'],
}
for (const [what, [layer, why]] of Object.entries(wrongLayers))
  test(`a release whose layer is wrong is told in words that stay (${what})`, async () => {
    const opened = open()
    assert.equal(await whyOf(opened, putRelease(opened.registry, { layers: [layer] })), why)
  })

test('a layer that is too large is not fetched, and a packed one that grows without end is given up', async () => {
  const opened = open()
  const large = putRelease(opened.registry, { layers: [payloadLayer(images)], sizes: [1 << 30] })
  assert.equal(await whyOf(opened, large), 'it has no release-manifests/image-references')
  assert.equal(
    opened.registry.asked.some(line => line.startsWith('store.')),
    false,
  )
  const bomb = putRelease(opened.registry, { layers: [gzipSync(Buffer.alloc((64 << 20) + 1))] })
  assert.equal(await whyOf(opened, bomb), 'a part of it is too large')
})

test('credentials go to whom they are for, and nowhere by plain HTTP', async () => {
  const opened = open()
  const release = putRelease(opened.registry, { layers: [payloadLayer(images)] })
  assert.equal(await whyOf(opened, release, ''), 'the registry’s token service answers 401')
  assert.equal(await whyOf(opened, release, 'user:secret'), 'the pull secret is no JSON')
  const other = JSON.stringify({ auths: { 'other.example.com': { auth: 'c2VjcmV0' } } })
  assert.equal(await whyOf(opened, release, other), 'the registry’s token service answers 401')
  const plain = open()
  const moved = putRelease(plain.registry, { layers: [payloadLayer(images)] })
  for (const [key, { status }] of plain.registry.answers)
    if (status === 307)
      plain.registry.answers.set(key, { status, headers: { location: 'http://store.example.com/x' }, body: null })
  assert.equal(await whyOf(plain, moved), 'the registry sends us on to nowhere')
})

test('an image is named by registry, repository and digest or tag', () => {
  const digest = digestOf(bytesOf('x'))
  assert.deepEqual(parseImageReference(`quay.io/ocp/release:4.21@${digest}`), {
    host: 'quay.io',
    repository: 'ocp/release',
    version: digest,
  })
  assert.deepEqual(parseImageReference('localhost:5000/a:1'), { host: 'localhost:5000', repository: 'a', version: '1' })
  for (const wrong of [
    '',
    'release',
    'ocp/release:1',
    'quay.io/a',
    'https://quay.io/a:1',
    'quay.io/../a:1',
    'quay.io/a:1?b',
    'quay.io/A:1',
  ])
    assert.equal(parseImageReference(wrong), undefined, wrong)
})

const mirrors = [{ source: `${registryHost}/ocp`, mirrors: ['away.example.com/copies', `${mirrorHost}/copies/ocp`] }]

const notThere = 'the registry answers 404'

test('a release is read from a mirror that the control plane names, by the credential of the mirror alone [4.3.2]', async () => {
  const opened = open()
  const release = putRelease(opened.registry, { layers: [payloadLayer(images)] })
  moveToMirror(opened.registry)
  const seen = await opened.ask(release, pullSecretText, mirrors)
  assert.ok(seen.kind === 'images')
  assert.deepEqual([...seen.images], Object.entries(images))
  const { asked } = opened.registry
  assert.equal(asked[0]?.startsWith('away.example.com /v2/copies/release/'), true, 'in the order in which they are named')
  assert.equal(
    asked.some(line => line.startsWith(`${registryHost} `)),
    false,
    'the registry itself is the last to be asked',
  )
  assert.equal(
    asked.some(line => line.endsWith('!')),
    false,
    'nobody is sent a credential of somebody else',
  )
})

test('a mirror that gives something else than the digest names is passed over, and each is told of by name', async () => {
  const opened = open()
  const { registry } = opened
  const release = putRelease(registry, { layers: [payloadLayer(images)] })
  const own = [...registry.answers]
  moveToMirror(registry)
  for (const [key, answer] of registry.answers)
    if (key.startsWith(mirrorHost) && answer.status === 200) registry.answers.set(key, ok(bytesOf('{}')))
  for (const [key, answer] of own) registry.answers.set(key, answer)
  assert.equal((await opened.ask(release, pullSecretText, mirrors)).kind, 'images')

  const without = open()
  assert.deepEqual(await without.ask(release, pullSecretText, mirrors), {
    kind: 'unreadable',
    why: `away.example.com: ${notThere}; ${mirrorHost}: ${notThere}; ${registryHost}: ${notThere}`,
  })
})

test('the longest source counts, what is no image is passed over, and a tag is asked of its own registry', () => {
  const digest = digestOf(bytesOf('x'))
  const place = (repository: string, host: string, version = digest) => ({ host, repository, version })
  const image = place('ocp/release', 'quay.io')
  const sources = [
    { source: 'quay.io', mirrors: ['a.example.com'] },
    { source: 'quay.io/ocp/release', mirrors: ['https://b.example.com', 'c.example.com/r', '', '../x', 'd.example.com/a/b'] },
    { source: 'quay.io/ocp/rel', mirrors: ['e.example.com/r'] },
    { source: '', mirrors: ['f.example.com/r'] },
    {},
  ]
  assert.deepEqual(placesOf(image, sources), [place('r', 'c.example.com'), place('a/b', 'd.example.com'), image])
  assert.deepEqual(placesOf(place('other', 'quay.io'), sources), [place('other', 'a.example.com'), place('other', 'quay.io')])
  const neighbour = place('ocp/release-nightly', 'quay.io')
  assert.deepEqual(placesOf(neighbour, [{ source: 'quay.io/ocp/release', mirrors: ['c.example.com/r'] }]), [neighbour])
  assert.deepEqual(placesOf({ ...image, version: '4.21' }, sources), [{ ...image, version: '4.21' }])
  const many = [{ source: 'quay.io', mirrors: ['a.io', 'b.io', 'c.io', 'd.io', 'e.io'] }]
  assert.deepEqual(
    placesOf(image, many).map(({ host }) => host),
    ['a.io', 'b.io', 'c.io', 'quay.io'],
  )
})

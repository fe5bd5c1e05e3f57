// What the flags of the hosted operator say, and which of them are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { ourChoices, upstreamChoices } from './build/choices.ts'
import { flagGroups, readHostedFlags } from './flags.ts'
import type { HostedSettings } from './settings.ts'

const known = flagGroups.flatMap(({ flags }) => flags)
const read = (...args: readonly string[]): HostedSettings =>
  readHostedFlags(parseFlags(known, args, new Map()), { workers: 3, env: {} })

const plain: HostedSettings = {
  platforms: ['AWS', 'Azure'],
  image: '',
  imageMap: 'release-images',
  pullSecret: 'pull-secret',
  guestKubeconfig: 'service-network-admin-kubeconfig',
  namespaces: undefined,
  choices: ourChoices,
  workers: 3,
}

const rows: readonly (readonly [args: readonly string[], settings: Partial<HostedSettings>])[] = [
  [[], {}],
  [['--hosted-namespaces=a, b'], { namespaces: ['a', 'b'] }],
  [['--hosted-platforms=Azure'], { platforms: ['Azure'] }],
  [['--hosted-platforms=AWS'], { platforms: ['AWS'] }],
  [['--hosted-platforms='], { platforms: [] }],
  [['--hosted-image= vouch:1 '], { image: 'vouch:1' }],
  [['--hosted-image-map=images'], { imageMap: 'images' }],
  [['--hosted-pull-secret=pull'], { pullSecret: 'pull' }],
  [['--hosted-guest-kubeconfig=way-in'], { guestKubeconfig: 'way-in' }],
  [['--hosted-upstream'], { choices: upstreamChoices }],
  [['--hosted-upstream', '--azure-wait-script=false'], { choices: { ...upstreamChoices, azureWaitScript: false } }],
  [['--hosted-upstream', '--azure-path=/mutate'], { choices: { ...upstreamChoices, azurePath: '/mutate' } }],
  [['--azure-wait-script'], { choices: { ...ourChoices, azureWaitScript: true } }],
  [['--azure-path=/mutate-v1-pod'], { choices: { ...ourChoices, azurePath: '/mutate-v1-pod' } }],
  [['--aws-kubeconfig-local'], { choices: { ...ourChoices, awsKubeconfigLocal: true } }],
  [['--webhook-timeout=0'], { choices: ourChoices }],
  [['--webhook-timeout=1'], { choices: { ...ourChoices, webhookTimeoutSeconds: 1 } }],
  [['--webhook-timeout=30'], { choices: { ...ourChoices, webhookTimeoutSeconds: 30 } }],
]

for (const [args, settings] of rows)
  test(`${args.join(' ') || 'no flag at all'} says what it names and nothing else`, () => {
    assert.deepEqual(read(...args), { ...plain, ...settings })
  })

const refused: readonly (readonly [flag: string, message: RegExp])[] = [
  ['--hosted-namespaces=a,B', /^--hosted-namespaces: "B" is no name that an object can have$/],
  ['--hosted-platforms=AWS,azure', /^--hosted-platforms: "azure" is neither AWS nor Azure; no other platform has a sidecar$/],
  ['--hosted-image-map=', /^--hosted-image-map: "" is no name that an object can have$/],
  ['--hosted-pull-secret=A', /^--hosted-pull-secret: "A" is no name that an object can have$/],
  ['--hosted-guest-kubeconfig=a/b', /^--hosted-guest-kubeconfig: "a\/b" is no name that an object can have$/],
  ['--azure-path=/', /^--azure-path: "\/" is neither \/mutate nor \/mutate-v1-pod, and no sidecar answers elsewhere$/],
  ['--webhook-timeout=31', /^--webhook-timeout: 31 is not between 1 and 30 seconds, which is what an API server takes$/],
  ['--webhook-timeout=-1', /^--webhook-timeout: -1 is not between 1 and 30 seconds/],
]

for (const [flag, message] of refused)
  test(`${flag} is refused by its name`, () => {
    assert.throws(() => read(flag), { message })
  })

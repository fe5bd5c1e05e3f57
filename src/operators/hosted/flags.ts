// The flags of the hosted operator. Where ours is better than what the platform's own operator gives, a flag gives that form, byte for byte.
import { commaList, FlagError, type FlagGroup, type FlagValues, flagOf } from '#base'
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import type { ProcessChoices } from '#runtime'
import { type HostedChoices, ourChoices, upstreamChoices } from './build/choices.ts'
import type { SidecarCloud } from './build/provider.ts'
import type { HostedSettings } from './settings.ts'

const { text, boolean, integer } = flagOf

export const flagGroups: readonly FlagGroup[] = [
  {
    title: 'Hosted control planes',
    flags: [
      text('hosted-namespaces', '', 'where control planes are looked after, separated by commas; all namespaces when empty'),
      text(
        'hosted-platforms',
        'AWS,Azure',
        'on which platforms control planes get a sidecar; take one out to switch it off there',
      ),
      text('hosted-image', '', 'image of every sidecar; the image map, and then the release image, decides when empty'),
      text(
        'hosted-image-map',
        'release-images',
        'ConfigMap beside each control plane with the images of its release by their labels; without it the release image is read',
      ),
      text('hosted-pull-secret', 'pull-secret', 'Secret beside each control plane with which its release image is read'),
      text(
        'hosted-guest-kubeconfig',
        'service-network-admin-kubeconfig',
        'Secret beside each control plane that leads into its guest, under the key kubeconfig',
      ),
      boolean('hosted-upstream', false, 'exactly what the platform’s own operator gives; single flags go before it'),
      boolean('azure-wait-script', false, 'wait for the API server in a shell script; the image then needs sh and curl'),
      text(
        'azure-path',
        '/mutate',
        'where guests call the Azure sidecar: /mutate, or /mutate-v1-pod where a fleet has sidecars of upstream',
      ),
      boolean('aws-kubeconfig-local', false, 'let the AWS sidecar call the API server of its own pod, as the Azure one does'),
      integer('webhook-timeout', 0, 'seconds until guests give up a call; their own default when 0'),
    ],
  },
]

export function readHostedFlags(values: FlagValues, { workers }: ProcessChoices): HostedSettings {
  const namespaces = commaList(values.text('hosted-namespaces'))
  for (const name of namespaces) refuseName('hosted-namespaces', dnsLabelErrors(name), name)
  return {
    platforms: readPlatforms(values.text('hosted-platforms')),
    image: values.text('hosted-image').trim(),
    imageMap: readObjectName(values, 'hosted-image-map'),
    pullSecret: readObjectName(values, 'hosted-pull-secret'),
    guestKubeconfig: readObjectName(values, 'hosted-guest-kubeconfig'),
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    choices: readChoices(values),
    workers,
  }
}

function readPlatforms(text: string): readonly SidecarCloud[] {
  return commaList(text).map(name => {
    if (name !== 'AWS' && name !== 'Azure')
      throw new FlagError(`--hosted-platforms: ${JSON.stringify(name)} is neither AWS nor Azure; no other platform has a sidecar`)
    return name
  })
}

function readChoices(values: FlagValues): HostedChoices {
  const base = values.boolean('hosted-upstream') ? upstreamChoices : ourChoices
  const isGiven = (flag: string): boolean => values.given.has(flag)
  return {
    ...base,
    azureWaitScript: isGiven('azure-wait-script') ? values.boolean('azure-wait-script') : base.azureWaitScript,
    azurePath: isGiven('azure-path') ? readPath(values.text('azure-path')) : base.azurePath,
    awsKubeconfigLocal: values.boolean('aws-kubeconfig-local'),
    webhookTimeoutSeconds: readTimeout(Number(values.integer('webhook-timeout'))),
  }
}

function readPath(path: string): HostedChoices['azurePath'] {
  if (path !== '/mutate' && path !== '/mutate-v1-pod')
    throw new FlagError(
      `--azure-path: ${JSON.stringify(path)} is neither /mutate nor /mutate-v1-pod, and no sidecar answers elsewhere`,
    )
  return path
}

function readTimeout(seconds: number): number | undefined {
  if (seconds < 0 || seconds > 30)
    throw new FlagError(`--webhook-timeout: ${seconds} is not between 1 and 30 seconds, which is what an API server takes`)
  return seconds === 0 ? undefined : seconds
}

function readObjectName(values: FlagValues, flag: string): string {
  const name = values.text(flag).trim()
  refuseName(flag, dnsSubdomainErrors(name), name)
  return name
}

function refuseName(flag: string, errors: readonly string[], name: string): void {
  if (errors.length > 0) throw new FlagError(`--${flag}: ${JSON.stringify(name)} is no name that an object can have`)
}

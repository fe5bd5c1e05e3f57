// Partitions: AWS worlds that do not see each other, each with its regions and its DNS suffix. A region's partition is found by the
// pattern of its name, so regions that open later work without a new release.

export type PartitionId = 'aws' | 'aws-cn' | 'aws-us-gov' | 'aws-iso' | 'aws-iso-b' | 'aws-iso-e' | 'aws-iso-f' | 'aws-eusc'

export interface Partition {
  readonly id: PartitionId
  readonly dnsSuffix: string
  /** Suffix of dual-stack names. */
  readonly dualStackDnsSuffix: string
  readonly regionPattern: RegExp
  /** The region whose name stands in signatures for services without regions. */
  readonly globalRegion: string
}

export const partitions: readonly Partition[] = [
  {
    id: 'aws',
    dnsSuffix: 'amazonaws.com',
    dualStackDnsSuffix: 'api.aws',
    regionPattern: /^(us|eu|ap|sa|ca|me|af|il|mx)-\w+-\d+$/,
    globalRegion: 'us-east-1',
  },
  {
    id: 'aws-cn',
    dnsSuffix: 'amazonaws.com.cn',
    dualStackDnsSuffix: 'api.amazonwebservices.com.cn',
    regionPattern: /^cn-\w+-\d+$/,
    globalRegion: 'cn-northwest-1',
  },
  {
    id: 'aws-us-gov',
    dnsSuffix: 'amazonaws.com',
    dualStackDnsSuffix: 'api.aws',
    regionPattern: /^us-gov-\w+-\d+$/,
    globalRegion: 'us-gov-west-1',
  },
  {
    id: 'aws-iso',
    dnsSuffix: 'c2s.ic.gov',
    dualStackDnsSuffix: 'api.aws.ic.gov',
    regionPattern: /^us-iso-\w+-\d+$/,
    globalRegion: 'us-iso-east-1',
  },
  {
    id: 'aws-iso-b',
    dnsSuffix: 'sc2s.sgov.gov',
    dualStackDnsSuffix: 'api.aws.scloud',
    regionPattern: /^us-isob-\w+-\d+$/,
    globalRegion: 'us-isob-east-1',
  },
  {
    id: 'aws-iso-e',
    dnsSuffix: 'cloud.adc-e.uk',
    dualStackDnsSuffix: 'api.cloud-aws.adc-e.uk',
    regionPattern: /^eu-isoe-\w+-\d+$/,
    globalRegion: 'eu-isoe-west-1',
  },
  {
    id: 'aws-iso-f',
    dnsSuffix: 'csp.hci.ic.gov',
    dualStackDnsSuffix: 'api.aws.hci.ic.gov',
    regionPattern: /^us-isof-\w+-\d+$/,
    globalRegion: 'us-isof-south-1',
  },
  {
    id: 'aws-eusc',
    dnsSuffix: 'amazonaws.eu',
    dualStackDnsSuffix: 'api.amazonwebservices.eu',
    regionPattern: /^eusc-(de)-\w+-\d+$/,
    globalRegion: 'eusc-de-east-1',
  },
]

const commercial = partitions[0] as Partition

/** The partition of a region. Names that fit no pattern count as commercial, as the SDKs do it. */
export function partitionOf(region: string): Partition {
  return partitions.find(({ regionPattern }) => regionPattern.test(region)) ?? commercial
}

export function partitionById(id: string): Partition | undefined {
  return partitions.find(partition => partition.id === id)
}

/** True for what can be a region: a label of lower-case letters, digits and hyphens, since it becomes part of a host name. */
export function isRegion(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}

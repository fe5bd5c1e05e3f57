// Inference: from the bytes of a model and its config to everything that `vouch infer` writes. Models are not part of the repository;
// VOUCH_SHARED names the folder that holds them, VOUCH_BOTOCORE botocore's.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { inferService, noConfig, readGeneratorConfig, readModel, renderService } from '#crdgen'

const shared = resolve(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '..', '..', 'shared'))
const botocore = process.env['VOUCH_BOTOCORE'] ?? join(homedir(), '.cache', 'vouch', 'botocore', '1.44.5')

interface Subject {
  readonly alias: string
  readonly model: string
  readonly generator?: string
}

const subjects: readonly Subject[] = [
  ...(
    [
      ['acm', 'acm-2015-12-08'],
      ['eks', 'eks-2017-11-01'],
      ['iam', 'iam-2010-05-08'],
      ['route53', 'route-53-2013-04-01'],
      ['s3', 's3-2006-03-01'],
    ] as const
  ).map(([alias, model]) => ({
    alias,
    model: join(shared, 'models', `${model}.json`),
    generator: join(shared, 'ack', alias, 'generator.yaml'),
  })),
  ...(
    [
      ['sagemaker', '2017-07-24'],
      ['ec2', '2016-11-15'],
    ] as const
  ).map(([alias, version]) => ({ alias, model: join(botocore, 'botocore', 'data', alias, version, 'service-2.json.gz') })),
]

export function run(args: readonly string[]): Promise<void> {
  const wanted = subjects.filter(({ alias }) => args.length === 0 || args.includes(alias))
  console.log('service      operations  kinds  files  written kB  first ms  second ms  RSS MB')
  for (const subject of wanted) {
    if (!existsSync(subject.model)) {
      console.log(`${subject.alias}: skipped, ${subject.model} is not here`)
      continue
    }
    const [first, second] = [measure(subject), measure(subject)]
    const cells = [
      first.operations,
      first.kinds,
      first.files,
      Math.round(first.bytes / 1024),
      Math.round(first.ms),
      Math.round(second.ms),
      first.rssMb,
    ]
    const widths = [10, 6, 6, 11, 9, 10, 7]
    console.log(`${subject.alias.padEnd(11)} ${cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join(' ')}`)
  }
  return Promise.resolve()
}

function measure({ alias, model: file, generator }: Subject): {
  readonly operations: number
  readonly kinds: number
  readonly files: number
  readonly bytes: number
  readonly ms: number
  readonly rssMb: number
} {
  const startedMs = performance.now()
  const bytes = readFileSync(file)
  const config = generator === undefined ? '' : readFileSync(generator, 'utf8')
  const model = readModel(bytes, { file, documentation: true })
  const service = inferService(model, {
    alias,
    loaded: generator === undefined ? noConfig : readGeneratorConfig(config, generator),
  })
  const files = renderService(service, { madeOf: { model: bytes, config, program: 'bench' } })
  const ms = performance.now() - startedMs
  const written = [...files.values()].reduce((sum, content) => sum + content.length, 0)
  return {
    operations: Object.keys(model.operations).length,
    kinds: service.kinds.length,
    files: files.size,
    bytes: written,
    ms,
    rssMb: Math.round(process.memoryUsage().rss / 1024 / 1024),
  }
}

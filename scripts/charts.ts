// `npm run charts`: writes deploy/charts from the templates of deploy/templates and from what each operator says of itself;
// test/house/charts.test.ts fails when one of them is not what would be written.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { identityFiles } from '../src/cli/charts/identity-files.ts'
import { olmBundle } from '../src/cli/charts/olm-bundle.ts'
import { umbrellaFiles } from '../src/cli/charts/umbrella-files.ts'
import { type WebhookChart, webhookCharts, webhookFiles } from '../src/cli/charts/webhook-files.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const top = join(import.meta.dirname, '..')
export const chartsFolder: string = join(top, 'deploy/charts')

/** Every file of every chart, by its path below deploy/charts. */
export async function chartFiles(): Promise<ReadonlyMap<string, string>> {
  const templates = (folder: string): ReadonlyMap<string, string> => {
    const cwd = join(top, 'deploy/templates', folder)
    return new Map(
      globSync('**/*', { cwd })
        .sort()
        .map(name => [`templates/${name}`, readFileSync(join(cwd, name), 'utf8')]),
    )
  }
  const process = templates('process')
  const identity = 'aws-workload-identity-operator'
  const flags = [...process].filter(([name]) => name === 'templates/_flags.tpl')
  const shared = templates('webhooks')
  const webhooks = await Promise.all(
    webhookCharts.map(async (chart): Promise<readonly [name: string, files: readonly (readonly [string, string])[]]> => {
      const own = [...shared].map(([name, text]) => [name, filledIn(text, chart)] as const)
      return [chart.chart.name, [...flags, ...own, ...(await webhookFiles(chart))]]
    }),
  )
  return new Map([
    ...inFolder('vouch', [...process, ...templates('vouch'), ...(await umbrellaFiles())]),
    ...inFolder(identity, [...process, ...templates(identity), ...(await identityFiles())]),
    ...webhooks.flatMap(([name, files]) => inFolder(name, files)),
    // The umbrella brings them along, switched off until somebody wants one.
    ...webhooks.flatMap(([name, files]) => inFolder(`vouch/charts/${name}`, files)),
  ])
}

/** Named templates are shared by a chart and those within it, so each webhook has names of its own. */
function filledIn(text: string, { alias, chart, deployment, audit }: WebhookChart): string {
  return text
    .replaceAll('PREFIX', alias)
    .replaceAll('CHART', chart.name)
    .replaceAll('DEPLOYMENT', deployment)
    .replaceAll('AUDIT', audit)
}

function inFolder(folder: string, files: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return files.map(([name, text]) => [`${folder}/${name}`, text])
}

/** By which OLM installs the dns operator. */
const bundleFolder: string = join(top, 'deploy/olm/external-dns-operator')

if (import.meta.main) {
  takeFlags(commands['charts'])
  rmSync(bundleFolder, { recursive: true, force: true })
  for (const [name, text] of await olmBundle()) {
    mkdirSync(dirname(join(bundleFolder, name)), { recursive: true })
    writeFileSync(join(bundleFolder, name), text)
  }
  rmSync(chartsFolder, { recursive: true, force: true })
  for (const [name, text] of await chartFiles()) {
    mkdirSync(dirname(join(chartsFolder, name)), { recursive: true })
    writeFileSync(join(chartsFolder, name), text)
  }
}

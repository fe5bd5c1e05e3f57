// From the name of a webhook to its program.
import type { StartedWebhook } from './webhook-name.ts'

/** Loads what this webhook needs, and nothing else. */
export async function runStarted({ kind, flags, called }: StartedWebhook): Promise<void> {
  switch (kind) {
    case 'aws':
      return (await import('./webhook-aws.ts')).runAws(flags, called)
    case 'azure':
      return (await import('./webhook-azure.ts')).runAzure(flags, called)
    case 'both':
      return (await import('./webhook-both.ts')).runBoth(flags, called)
  }
}

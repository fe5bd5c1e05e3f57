// The organization that the default accounts belong to (§2.5).
import { type EmulatorSettings, managementAccount, organizationId } from './settings.ts'

export const organizationRootId = 'r-emu0'

/** Accounts of the organization: the management account and those the emulator was started with. Others are in none. */
export function organizationAccounts(settings: Pick<EmulatorSettings, 'accounts'>): readonly string[] {
  return [managementAccount, ...settings.accounts.filter(account => account !== managementAccount)]
}

export function organizationOf(
  settings: Pick<EmulatorSettings, 'accounts'>,
  account: string,
): { readonly id: string; readonly paths: readonly string[] } | undefined {
  if (!organizationAccounts(settings).includes(account)) return undefined
  return { id: organizationId, paths: [`${organizationId}/${organizationRootId}/`] }
}

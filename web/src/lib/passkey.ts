/** Passkeys in the browser: keys that the device keeps, and uses only for the address where they were made. */
import { Refused } from "./api";
import { w } from "./words";

/** Whether this browser has passkeys, which it has only over TLS or on localhost. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext && "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** Make a passkey by what the house asked for; the answer goes back to the house. */
export const makePasskey = (options: string): Promise<string> =>
  answered(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

/** Use a passkey of this device to sign in. */
export const usePasskey = (options: string): Promise<string> =>
  answered(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );

async function answered(asked: Promise<Credential | null>): Promise<string> {
  const credential = await asked.catch(() => null);
  if (credential === null) throw new Refused(w("passkey-none"));
  return JSON.stringify((credential as PublicKeyCredential).toJSON());
}

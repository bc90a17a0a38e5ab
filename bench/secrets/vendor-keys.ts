/**
 * Keys of services, as their documents show them. Written down here apart from the table of the product, so that a gap
 * in that table shows.
 */
import { printed, structured } from './carriers';
import type { Draft, SecretClass } from './planted';
import type { ALPHABET, Random } from './random';

/**
 * One kind a line: its name, then text and, in braces, an alphabet and a number of characters. `id` is a number of so
 * many digits in base64.
 */
const KINDS = `
NVIDIA: nvapi-{url 64}
Pinecone: pcsk_{mixed 6}_{mixed 63}
Tailscale: tskey-auth-{mixed 17}-{mixed 33}
Tailscale API: tskey-api-{mixed 17}-{mixed 33}
1Password service account: ops_eyJ{base64 400}
1Password secret key: A3-{upperDigits 6}-{upperDigits 6}-{upperDigits 5}-{upperDigits 5}-{upperDigits 5}-{upperDigits 5}
Pulumi: pul-{hex 40}
SonarQube user: squ_{hex 40}
SonarQube project: sqp_{hex 40}
SonarQube global: sqa_{hex 40}
Alibaba: LTAI5t{mixed 18}
Telegram bot: {digits 10}:AA{url 33}
Discord bot: {id 18}.G{mixed 5}.{url 38}
Discord webhook: https://discord.com/api/webhooks/{digits 19}/{url 68}
Mailgun: key-{hex 32}
Airtable: pat{mixed 14}.{hex 64}
GitHub classic: ghp_{mixed 36}
GitHub OAuth: gho_{mixed 36}
GitHub user-to-server: ghu_{mixed 36}
GitHub server: ghs_{mixed 36}
GitHub refresh: ghr_{mixed 76}
GitHub fine-grained: github_pat_11{upperDigits 9}0{mixed 10}_{mixed 59}
GitLab: glpat-{url 20}
GitLab deploy: gldt-{url 20}
GitLab runner: glrt-{url 20}
GitLab pipeline trigger: glptt-{hex 40}
GitLab feed: glft-{url 20}
GitLab agent: glagent-{url 50}
GitLab OAuth: gloas-{hex 64}
GitLab mail: glimt-{url 25}
GitLab SCIM: glsoat-{url 20}
GitLab flags: glffct-{url 20}
Slack bot: xoxb-{digits 12}-{digits 13}-{mixed 24}
Slack user: xoxp-{digits 12}-{digits 12}-{digits 13}-{hex 32}
Slack app: xapp-1-A{upperDigits 10}-{digits 13}-{hex 64}
Slack config: xoxe.xoxp-1-{mixed 163}
Slack refresh: xoxe-1-{mixed 147}
Slack browser: xoxc-{digits 12}-{digits 12}-{digits 13}-{hex 64}
Slack cookie: xoxd-{mixed 80}
Slack webhook: https://hooks.slack.com/services/T{upperDigits 10}/B{upperDigits 10}/{mixed 24}
Stripe: sk_live_51{mixed 97}
Stripe restricted: rk_live_{mixed 24}
Stripe test: sk_test_{mixed 24}
Stripe webhook: whsec_{mixed 32}
OpenAI: sk-{mixed 20}T3BlbkFJ{mixed 20}
OpenAI project: sk-proj-{url 74}T3BlbkFJ{url 74}
OpenAI service account: sk-svcacct-{url 58}T3BlbkFJ{url 58}
OpenAI admin: sk-admin-{url 58}T3BlbkFJ{url 58}
Anthropic: sk-ant-api03-{url 93}AA
Anthropic admin: sk-ant-admin01-{url 93}AA
Anthropic OAuth: sk-ant-oat01-{url 93}AA
OpenRouter: sk-or-v1-{hex 64}
Google API: AIzaSy{url 33}
Google client secret: GOCSPX-{url 28}
Google access token: ya29.a0{url 160}
Google refresh token: 1//0{mixed 1}{url 98}
AWS: AKIA{upperDigits 16}
AWS session: ASIA{upperDigits 16}
AWS bearer: ABIA{upperDigits 16}
AWS context: ACCA{upperDigits 16}
Amazon Bedrock: ABSK{base64 128}
Azure AD: {mixed 3}8Q~{mixed 34}
Azure storage: AccountKey={base64 86}==
npm: npm_{mixed 36}
PyPI: pypi-AgEIcHlwaS5vcmc{url 150}
RubyGems: rubygems_{hex 48}
crates.io: cio{mixed 32}
NuGet: oy2{lowerDigits 43}
Docker Hub: dckr_pat_{url 27}
Docker organization: dckr_oat_{url 32}
DigitalOcean: dop_v1_{hex 64}
DigitalOcean OAuth: doo_v1_{hex 64}
Heroku: HRKU-AA{url 58}
Cloudflare user: cfut_{mixed 40}{hex 8}
Cloudflare account: cfat_{mixed 40}{hex 8}
Cloudflare origin: v1.0-{hex 24}-{hex 146}
Vercel: vcp_{mixed 56}
Netlify: nfp_{mixed 36}
Fly: FlyV1 fm2_{base64 300}
Supabase access: sbp_{hex 40}
Supabase secret: sb_secret_{url 22}_{url 8}
Neon: napi_{lowerDigits 64}
PlanetScale: pscale_tkn_{url 43}
PlanetScale password: pscale_pw_{url 43}
PlanetScale OAuth: pscale_oauth_{url 43}
MongoDB Atlas: mdb_sa_sk_{url 40}
Databricks: dapi{hex 32}
Databricks service: dose{hex 32}
dbt user: dbtu_{mixed 38}
dbt service: dbtc_{mixed 38}
Hugging Face: hf_{letters 34}
Replicate: r8_{mixed 37}
Groq: gsk_{mixed 52}
Perplexity: pplx-{mixed 48}
xAI: xai-{mixed 80}
Voyage: pa-{url 43}
Fireworks: fw_{mixed 22}
Cerebras: csk-{lowerDigits 48}
Firecrawl: fc-{hex 32}
Tavily: tvly-dev-{mixed 32}
Brave: BSA{url 28}
Context7: ctx7sk-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}
LangSmith: lsv2_pt_{hex 32}_{hex 10}
Langfuse: sk-lf-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}
Notion: ntn_{digits 11}{mixed 35}
Notion legacy: secret_{mixed 43}
Linear: lin_api_{mixed 40}
Linear OAuth: lin_oauth_{hex 64}
Figma: figd_{url 40}
Asana: 2/{digits 16}/{digits 16}:{hex 32}
Atlassian: ATATT3xFfGF0{url 171}={upperHex 8}
Bitbucket: ATBB{mixed 24}{upperHex 8}
Shopify: shpat_{hex 32}
Shopify app secret: shpss_{hex 32}
Square: EAAA{url 60}
Square secret: sq0csp-{url 43}
PayPal Braintree: access_token$production\${lowerDigits 16}\${hex 32}
Plaid: access-production-{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}
Twilio: SK{hex 32}
SendGrid: SG.{url 22}.{url 43}
Mailchimp: {hex 32}-us{digits 2}
Brevo: xkeysib-{hex 64}-{mixed 16}
Postman: PMAK-{hex 24}-{hex 34}
New Relic: NRAK-{upperDigits 27}
New Relic license: {hex 36}FFFFNRAL
Grafana: glsa_{mixed 32}_{hex 8}
Grafana Cloud: glc_eyJ{base64 100}
Sentry user: sntryu_{hex 64}
Sentry organization: sntrys_eyJpYXQiOjE{base64 150}_{base64 43}
PostHog: phx_{mixed 43}
Doppler: dp.pt.{mixed 43}
Vault: hvs.CAESI{url 90}
Terraform: {mixed 14}.atlasv1.{mixed 67}
Infisical: st.{hex 24}.{hex 32}.{hex 32}
Artifactory: AKCp{mixed 69}
Artifactory reference: cmVmdGtu{mixed 56}
CircleCI: CCIPAT_{mixed 22}_{hex 40}
Buildkite: bkua_{hex 40}
Snyk: snyk_uat.{hex 8}.{mixed 60}
age: AGE-SECRET-KEY-1{upperDigits 58}
Resend: re_{mixed 8}_{mixed 24}
Typeform: tfp_{mixed 44}_{mixed 14}
Contentful: CFPAT-{url 43}
Sourcegraph: sgp_{hex 16}_{hex 40}
Dynatrace: dt0c01.{upperDigits 24}.{upperDigits 64}
Okta: 00{url 40}
Clojars: CLOJARS_{hex 60}
Prefect: pnu_{mixed 36}
ReadMe: rdme_{lowerDigits 70}
Apify: apify_api_{mixed 36}
Mapbox secret: sk.eyJ1Ijoi{url 60}.{url 22}
Facebook: EAAM{mixed 120}
Yandex Cloud: AQVN{url 36}
Deno: ddp_{mixed 36}
ElevenLabs: sk_{hex 48}
E2B: e2b_{hex 40}
Browserbase: bb_live_{url 27}
JSON Web Token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI{url 40}.{url 43}
Razorpay: rzp_live_{mixed 14}
Flutterwave: FLWSECK-{hex 32}-X
EasyPost: EZAK{mixed 54}
Shippo: shippo_live_{hex 40}
Duffel: duffel_live_{url 43}
Octopus: API-{upperDigits 26}
Harness: pat.{url 22}.{hex 24}.{mixed 20}
Adafruit: aio_{mixed 28}
OpenShift: sha256~{url 43}
Teams webhook: https://acme.webhook.office.com/webhookb2/{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}@{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}/IncomingWebhook/{hex 32}/{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}
Zapier webhook: https://hooks.zapier.com/hooks/catch/{digits 7}/{lowerDigits 7}
Aiven: AVNS_{url 19}
Rootly: rootly_{hex 64}
Voiceflow: VF.DM.{hex 24}.{mixed 16}
Weights and Biases: wandb_v1_{url 70}
LaunchDarkly: api-{hex 8}-{hex 4}-4{hex 3}-a{hex 3}-{hex 12}
Lob: live_{hex 35}
Scalingo: tk-us-{url 48}
Ghost: {hex 24}:{hex 64}
`
  .trim()
  .split('\n')
  .map((line) => line.slice(line.indexOf(': ') + 2));

/** Returns a key of this kind. */
function keyOf(kind: string, random: Random): string {
  return kind.replace(/\{(\w+) (\d+)\}/g, (_, alphabet: keyof typeof ALPHABET | 'id', length) =>
    alphabet === 'id'
      ? Buffer.from(`1${random.text('digits', Number(length) - 1)}`).toString('base64url')
      : random.text(alphabet, Number(length)),
  );
}

/** Returns a key of any kind. */
export const vendorKey = (random: Random): string => keyOf(random.pick(KINDS), random);

const PLACES: readonly ((key: string, random: Random) => ReturnType<typeof printed>)[] = [
  (key, random) => printed(`it is ${key}.`, random),
  (key, random) => printed(`Created ${key}`, random),
  (key, random) => printed(`${random.word()}: ${key}`, random),
  (key, random) => printed(`using ${key} for ${random.word()}`, random),
  (key, random) => printed(`"${key}"`, random),
  (key, random) => printed(`[${random.time()}] ${key}`, random),
  (key, random) => structured({ value: key, n: random.int(1, 9) }, random),
  (key, random) => structured([random.word(), key], random),
  (key, random) => structured({ note: `see ${key}`, done: true }, random),
  (key, random) => printed(`run --with ${key} --now`, random),
  (key, random) => printed(`x=${key}\n`, random),
  (key, random) => printed(`(${key})`, random),
];

/** Keys without a name, which only their shape gives away. */
export const OF_VENDORS: SecretClass = {
  id: 'keys of services',
  count: 90,
  templates: KINDS.map((kind) => (random: Random): Draft => {
    const key = keyOf(kind, random);
    return { said: random.pick(PLACES)(key, random), secrets: [key] };
  }),
};

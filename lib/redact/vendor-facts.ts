/**
 * Shapes of the tokens that services give out. A line in brackets names the rule of the lines after it. Other lines
 * have a name, a colon and a shape: text, and in braces an alphabet and its least and most characters. `+` is for at
 * least that many, and `(a|b)` is either text. A word after `#` names one of the {@link CHECKS}. The alphabets:
 *
 * - `d` digits, `h` and `x` hex in lower and in any case, `l` and `L` lower-case and any letters
 * - `n`, `N` and `m` digits with lower-case, upper-case and any letters
 * - `i` `m` and `-`, `w` `m` and `_`, `u` both, `v` also `.` and `=`, `y` `u` and `=`, `t` `u` with `~` and `.`
 * - `b` base64, `p` base64 in both forms, padded, `c` the same in a URL, `g` and `s` parts of paths
 * - `k` capitals and spaces, `B` base58; and `{uuid}` is a UUID, `{pem}` the inside of a PEM block
 *
 * Where sources differ, the wider length is here. `test-vendor-sources.ts` names the source of each line.
 */
export const VENDOR_FACTS = `
[anthropic]
Anthropic API key: sk-ant-api{d2-4}-{u20+}
Anthropic admin key: sk-ant-admin{d2-4}-{u20+}
Anthropic OAuth token: sk-ant-o(a|r)t{d2-4}-{u20+}
Anthropic session key: sk-ant-sid{d2-4}-{u20+}
Anthropic other key: sk-ant-{u20+}
[openai]
OpenAI project key: sk-proj-{u20+}
OpenAI service account key: sk-(svcacct|service|None)-{u20+}
OpenAI admin key: sk-admin-{u20+}
OpenAI key: sk-{m20-100} #digit
OpenAI session key: sess-{u40-100}
OpenRouter key: sk-or-{u20-100}
[api-key]
LiteLLM key: sk-{u20-24} #mixed
Windsurf service key: sk-ws-{u30-120}
Groq key: gsk_{m40-60}
xAI key: xai-{u60-90}
Perplexity key: pplx-{u40-60}
Voyage AI key: pa-{u43} #digit
Together AI key: tgp_v1_{u40-64}
Fireworks key: fw_{m22-24} #digit
Cerebras key: csk-{m40-60}
Replicate token: r8_{u30-60}
NVIDIA key: nvapi-{u60-72}
ElevenLabs key: sk_{h48}
Cartesia key: sk_car_{u20-64}
RunPod key: rpa_{m40-60}
Modal token: a(k|s)-{m22} #digit
Weights & Biases key: wandb_v1_{u40-100}
LangSmith key: lsv2_(pt|sk)_{m32}_{m10}
LangSmith old key: ls__{h32}
Langfuse secret key: sk-lf-{u20-60}
Braintrust service token: bt-st-{u40-64}
Helicone key: sk-helicone-{u20-64}
LlamaCloud key: llx-{u40-60}
Jina key: jina_{u50-64}
Pinecone key: pcsk_{m4-8}_{m50-70}
turbopuffer key: tpuf_{m30-60}
E2B key: e2b_{u36-60}
E2B access token: sk_e2b_{m40}
Browserbase key: bb_(live|test)_{u20-40}
Firecrawl key: fc-{m32} #digit
Tavily key: tvly-{u20-60}
Brave Search key: BSA{u20-32} #digit
You.com key: ydc-sk-{u20-100}
Context7 key: ctx7sk-{u20-60}
Composio key: ak_{u20-24} #digit
Arcade key: arc_{m40-80}
Apify token: apify_api_{m34-40}
Apify proxy password: apify_proxy_{m20-60}
Cursor key: (key|crsr)_{h64}
Retell key: key_{h28-32}
Mem0 key: m0-{m40}
Zep key: z_1dWlkIjoi{v20-400}
Letta key: sk-let-{p40-100}
RubyGems key: rubygems_{m42-56}
crates.io token: cio{m32} #digit
NuGet key: oy2{n43}
Clojars token: CLOJARS_{m60}
Cachix or Nix signing key: -1:{b86}==
Docker Hub token: dckr_pat_{u24-60}
Docker organization token: dckr_oat_{u24-60}
Docker Swarm join token: SWMTKN-1-{n40-60}-{n20-30}
Artifactory API key: AKC{m64-74}
Artifactory reference token: cmVmd{m50-64}
Heroku key: HRKU-{u36-70}
Cloudflare token: cf(ut|at|k)_{m48} #cloudflare
Cloudflare origin CA key: v1.0-{h24}-{h140-150}
Cloudflare Tunnel token: eyJhIjoi{p100-400}
Vercel token: vc(p|i|a|r|k)_{m20-60}
Vercel old token: vercel_{u24-60}
Vercel Blob token: vercel_blob_rw_{m16}_{m30}
Netlify token: nfp_{u36-60}
Fly.io token: fm(1|1a|1r|2)_{p60-4096}
Fly.io old token: fo1_{u43}
Render key: rnd_{m28-40}
Scalingo token: tk-us-{u48}
Northflank token: nf-eyJ{v60-600}
Deno Deploy token: dd(p|w|o)_{m36-40}
Supabase access token: sbp_(v0_|oauth_|){m40}
Supabase secret key: sb_secret_{u20-60}
Neon key: napi_{m60-80}
PlanetScale token: pscale_(tkn|pw|oauth)_{v32-64}
MongoDB Atlas secret: mdb_sa_sk_{u36-48}
CockroachDB secret: CCDB1_{m22}_{m40}
ClickHouse Cloud key: 4b1d{m38} #digit
Aiven service password: AVNS_{u19}
Aiven token: AVNU_{p100+}
Xata key: xau_{m30-48}
Tinybird token: p.eyJ{u20-400}.{u20-60}
Convex deploy key: (prod|dev|preview|project):{i1-60}\\|{p40-400}
Databricks token: dapi{m32}(-{d1}|) #digit
Databricks OAuth secret: dose{m32} #digit
Snowflake session token: ver:{d1}-hint:{d1-20}-(did:{d1-8}-|){b60-400}
dbt user token: dbtu_{p36-60}
dbt service token: dbtc_{p36-60}
Confluent secret: cflt{b56-64}
Materialize password: mzp_{m64}
Prefect token: pn(u|b)_{m36}
Dagster token: agent:{i1-60}:{h32}
Metabase key: mb_{b43}=
pganalyze key: pgar_{m27}
Figma token: fig(d|u|p|o|ur)_{y36-200}
Asana token: (1|2)/{d10-20}(/{d10-20}|):{h32}
Atlassian API token: ATATT3{p60-400}
Atlassian admin key: ATCTT3{p60-400}
Bitbucket app password: ATBB{p20-60}
Bitbucket Data Center token: BBDC-{p40-50}
Trello token: ATTA{h64}{x8}
Airtable token: pat{m14}.{m60-66}
Airtable OAuth token: oaa{m14}.v1.{u10-200}.{h20-64}
ClickUp token: pk_{d7-9}_{N32}
Plane key: plane_api_{m32}
Retool token: retool_01{n20-60}
Close key: api_{m22}.{m22}
Teamwork token: tkn.v1_{m71}=
WakaTime key: waka_{i36}
Typeform token: tfp_{w40-59}
Contentful token: CFPAT-{u43}
Kaggle token: KGAT_{h32}
Val Town token: vtwn_{u20-80}
CodeSandbox token: csb_v1_{u43}
Kong Konnect token: (kpat|spat)_{m40-80}
Anyscale key: esecret_{n24-64}
Chroma key: ck-{m40-48} #digit
TeamCity token: eyJ0eXAiOiAiVENWMiJ9.{u20-100}.{u20-100}
YouTrack token: perm(:|-){p4-120}.{p4-120}.{m30-40}
ngrok token: 2{m26}_{m18-24} #mixed
Cloudflare Turnstile secret: 0x4AAAAAA{u24-30}
Other key that begins with sk-: sk-{n2-12}-{u24-120} #mixed
Supermemory key: sm_{m22}_{u40-100}
Upstage key: up_{m28-32} #mixed
Facebook app token: {d15-17}\\|{u27-40}
Beamer key: b_{y44} #mixed
Neptune token: eyJhcGlfYWRkcmVzcyI6{p60-400}
Gitpod token: gitpod_pat_{v30-200}
Akamai token: akab-{m16}-{m16}
Jenkins token: 11{h32} #digit
Scale AI key: (live|test)_{h32} #digit
Friendli token: flp_{u40-60}
Elastic Cloud key: essu_{p40-200}
Yandex Cloud static secret: YC{u38} #mixed
Dropbox token: sl.(u.|){u130+}
Cal.com key: cal_(live_|){m32} #digit
Nylas key: nyk_v0_{m60-70}
HubSpot token: pat-(na|eu|ap){d1}-{uuid}
Intercom token: dG9rO{b50-80}=
Salesforce session: 00D{m12}!{v80-120}
Salesforce refresh token: 5Aep861{v80-200}
Klaviyo key: pk_(|{m6}_){h34}
Shopify access token: shpat_{m30-64}
Shopify custom app token: shpca_{m30-64}
Shopify private app token: shppa_{m30-64}
Shopify shared secret: shpss_{m30-64}
Shopify other token: (shptka|atkn|prtapi)_{m30-64}
Square access token: sq0atp-{u22-60}
Square token: EAAA{u56-64}
Square OAuth secret: sq0c(sp|lp)-{u40-60}
Braintree access token: access_token$(production|sandbox)\${n16}\${h32}
PayPal access token: A21AA{u80-100}
Plaid access token: access-(sandbox|development|production)-{i30-40}
Adyen key: AQE{l1}hm{p60-400}
Checkout.com key: sk_(sbox_|){n26-28} #digit
Mollie key: (live|test)_{m30} #mixed
GoCardless token: live_{u40} #mixed
Lob key: (live|test)_{h35}
Razorpay key: rzp_(live|test)_{m14}
Flutterwave key: FLWSECK(_TEST|)-{n12-44}(-X|)
Pagar.me key: ak_(live|test)_{m28-32}
Mercado Pago token: (APP_USR|TEST)-{d14-18}-{d6}-{h32}-{d6-12}
Paddle key: pdl_(live|sdbx)_apikey_{m20-40}_{m20-40}_{m3}
Polar token: polar_(oat|pat|whs)_{m30-60}
Ramp secret: ramp_sec_{m40-60}
Mercury token: secret-token:mercury_{l2-12}_{w1-20}_{y20-100}
EasyPost key: EZ(A|T)K{m54}
Shippo token: shippo_(live|test)_{m40}
Duffel token: duffel_(live|test)_{y43}
Flexport token: shltm_{u40}
Coinbase key name: organizations/{uuid}/apiKeys/{uuid}
Robinhood key: rh-api-{uuid}
IEX Cloud key: sk_{h32}
Finage key: API_KEY{N32} #digit
Mailchimp key: {h32}-us{d1-2}
Mandrill key: md-{u22} #mixed
Mailgun key: key-{m32} #digit
Mailgun new key: {h32}-{h8}-{h8} #digit
Brevo key: xkeysib-{u60-100}
Brevo SMTP key: xsmtpsib-{m64}-{m16}
Resend key: re_{m6-12}_{m20-40}
MailerSend token: mlsn.{m64}
Courier key: pk_(prod|test)_{N28}
Segment token: sgp_{m64}
Telnyx key: KEY{N32}_{m22}
Telegram bot token: {d8-12}:{u35}
Telegram bot URL: api.telegram.org/bot{d6-12}:{u30-50}
Discord bot token: (MD|MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT){u21-26}.{u6}.{u27-40} #mixed
Discord webhook: discord(|app).com/api/(v{d1-2}/|)webhooks/{d15-22}/{u40-100}
Discord MFA token: mfa.{u84}
Mattermost webhook: /hooks/{n26} #digit
Google Chat webhook: chat.googleapis.com/v1/spaces/{u8-20}/messages?key={u35-45}&token={c30-70}
Zapier webhook: hooks.zapier.com/hooks/catch/{d4-12}/{n5-12}
Make webhook: hook.(us1|us2|eu1|eu2).make.com/{n28-36}
IFTTT webhook: maker.ifttt.com/trigger/{i1-60}(/json|)/with/key/{u20-64}
Tines webhook: .tines.com/webhook/{h32}/{h32}
Svix webhook secret: v1,whsec_{b20-100}
n8n key: n8n_api_{m80}
Twitch token: oauth:{n30}
Facebook token: EAA{m80-400}
Instagram token: IG(QV|QW|AA){u80-400}
X bearer token: AAAAAAAAAAAAAAAAAAAAA{c60-200}
LinkedIn secret: WPL_AP(0|1).{m12-24}.{b4-12}==
Pinterest token: pina_{u80-200}
Mapbox secret token: sk.eyJ{u8-400}.{u20-60}
Mapbox temporary token: tk.eyJ{u8-400}.{u20-60}
LocationIQ key: pk.{h32}
New Relic user key: NRAK-{N27}
New Relic license key: {n32-36}FFFFNRAL
New Relic insert key: NRI(I|Q)-{u25-32}
New Relic browser key: NR(JS|BR)-{h19}
New Relic mobile token: AA{h40}-NRMA
Grafana service account token: glsa_{m32}_{m8} #grafana
Grafana Cloud token: glc_{p40-400}
Grafana API key: eyJrIjoi{b60-400}
Sentry organization token: sntrys_{p40-400}
Sentry user token: sntryu_{m40-64}
Sentry app token: sntry(a|i)_{h64}
PostHog personal key: phx_{w40-60}
PostHog feature flags key: phs_{w40-60}
Honeycomb key: hc(a|b|c|d|e|x)(ik|mk|lk)_{m20-90}
Dynatrace token: dt0{l1}{d2}.{N24}.{N64}
Logfire token: pylf_v{d1}_(us|eu|local)_{m40-64}
Axiom token: xa(a|p)t-{i36}
LaunchDarkly key: (api|sdk|mob)-{h8}-{h4}-4{h3}-{h4}-{h12}
DevCycle key: dvc_(server|client|mobile)_{w40-80}
Statsig secret: secret-{m40-50} #digit
ConfigCat key: configcat-sdk-1/{u22}/{u22}
LogicMonitor token: lm(a|b)_{p40-400}
Rootly token: rootly_{m64}
incident.io key: inc_{h64}
Adafruit IO key: aio_{m28}
Ubidots token: BBFF-{m30}
Samsara token: samsara_api_{m30}
Cloudinary URL: cloudinary://{d10-20}:{u20-40}
Frame.io token: fio-u-{y64}
Bannerbear key: bb_(pr|ma)_{h30}
Doppler token: dp.(pt|st|ct|sa|scim|audit).{v40-80}
Vault token: hv(s|b|r).{u20-300}
Terraform token: {m14}.atlasv1.{p60-100}
1Password service account token: ops_eyJ{p100+}
1Password secret key: A3-{N6}-({N11}|{N6}-{N5})-{N5}-{N5}-{N5}
Infisical token: st.{m20-40}.{h20-64}.{h20-64}
Bitwarden machine token: 0.{uuid}.{m30}:{b22}==
Pulumi token: pul-{m40}
Infracost key: ico-{m32}
Harness token: (pat|sat).{u22}.{m24}.{m20}
Octopus Deploy key: API-{N25-36} #digit
CircleCI token: CCIP(AT|RJ)_{m22}_{m40}
Buildkite token: bkua_{m40-60}
SonarQube token: sq(u|p|a)_{m40}
SonarQube Cloud token: sqco_{m59}
Snyk token: snyk_(uat|sat|pat).{m8}.{v40-400}
Socket token: sktsec_{u40-90}
Endor Labs key: endr+{i16}
Spectral key: spu-{m32}
TruffleHog key: thog-(key|secret)-{h16-32}
StackHawk key: hawk.{u20}.{u20}
Nightfall key: NF-{m32}
Sourcegraph token: sgp_(({x16}|local)_|){x40}
Sourcegraph Cody token: s(lk|gd)_{m64}
Tailscale key: tskey-({l2-12}-|){w8-40}-{w16-64}
Defined Networking key: dnkey-{m26}-{m52}
Portainer token: ptr_{b20-60}=
OpenShift token: sha256~{u43}
Rancher token: token-{n5}:{n54}
Dependency-Track key: odt_{m32-255}
Alibaba access key: LTAI{m12-24} #digit
Tencent Cloud key: AKID{m32}
Volcengine key: AKLT{u40-60}
Yandex Cloud key: AQVN{u35-38}
Yandex Cloud IAM token: t1.{y3+}.{u86}
Exoscale key: EXO{h24}
Scaleway key: SCW{N17} #digit
UpCloud token: ucat_{N26}
Ionic token: ion_{n42}
Adobe client secret: p8e-{i32}
Authress key: (sc|ext|scauth|authress)_{n5-30}.{n4-6}.acc(_|-){i10-32}.{p30-120}
Stytch secret: secret-(live|test)-{u36}=
Okta token: 00{u40} #mixed
Ory token: ory_(at|rt|ac|pat|apikey)_{v24-100}
Unkey key: unkey_{m20-48}
Onfido key: api_(live|sandbox)(_us|_ca|).{u11}.{u32}
ReadMe key: rdme_{m70}
Ghost admin key: {h24}:{h64}
42 Intra secret: s-s4t2(ud|af)-{h64}
SettleMint token: sm_(aat|pat|sat)_{m16}
MaxMind key: {w36}_mmk
Lichess token: li(p|o)_{m16-40}
Fullstory key: (na1|eu1).{b90-110}
Zoho token: 1000.{h32}.{h32}
Tableau token: {b22}==:{m32}
SaladCloud key: salad_cloud_{m1-7}_{m7-235}
Voiceflow key: VF.(DM.|WS.|){x24}.{m16}
Fleetbase key: flb_(live|test)_{m20}
dfuse key: web_{n32}
Ticket Tailor key: sk_{d4}_{d6}_{h32}
Zuplo key: zpka_{m32}_{m8}
PubNub secret key: sec-c-{b48-60}
Liveblocks key: sk_(dev|prod)_{u40-80}
Trigger.dev key: tr_(dev|prod|stg|pat)_{m20-48}
Inngest signing key: signkey-(prod|test|branch)-{m64}
Persona key: persona_(sandbox|production)_{u30-64}
[hugging-face]
Hugging Face token: hf_{m34-40} #cases
Hugging Face organization token: api_org_{m34-40} #cases
[github]
GitHub personal token: ghp_{m36-251} #base62
GitHub OAuth token: gho_{m36-251} #base62
GitHub user-to-server token: ghu_{m36-251} #base62
GitHub server-to-server token: ghs_{m36-251} #base62
GitHub installation token: ghs_{d1-20}_{u20+}.{u20+}.{u20+}
GitHub refresh token: ghr_{m36-251} #base62
GitHub fine-grained token: github_pat_{w22-244}
[gitlab]
GitLab personal token: glpat-{v20-300} #routable
GitLab deploy token: gldt-{v20-300} #routable
GitLab runner token: glrt(r|)-{v20-300} #routable
GitLab job token: glcbt-{v20-300}
GitLab pipeline trigger token: glptt-{v20-300}
GitLab feed token: glft-{v20-300}
GitLab incoming mail token: glimt-{v20-300}
GitLab agent token: glagent-{v20-300} #routable
GitLab SCIM token: glsoat-{v20-300}
GitLab OAuth secret: gloas-{v20-300}
GitLab feature flags token: glffct-{v20-300}
GitLab workspace token: glwt-{v20-300}
GitLab registration token: GR1348941{u20-24}
GitLab session cookie: _gitlab_session={h32}
[slack]
Slack bot token: xoxb-{i10-300}
Slack user token: xox(p|e|o|s|a|r|c)-{i10-300}
Slack cookie token: xoxd-{c20-400}
Slack app token: xapp-{i10-300}
Slack configuration token: xoxe.xox(b|p)-{i10-300}
Slack workflow token: xwfp-{i20-300}
Slack webhook: hooks.slack.com/(services|workflows|triggers)/{g20-200}
[stripe]
Stripe secret key: sk_(live|test|prod)_{m10-250}
Stripe restricted key: rk_(live|test|prod)_{m10-250}
Stripe organization key: sk_org_(live|test)_{m20-250}
Stripe webhook secret: whsec_{b20-100}
Stripe payment client secret: (pi|seti)_{m24}_secret_{m24-26}
[google]
Google API key: AIza{u35}
Google API key, new form: AQ.Ab{u40-64}
Google client secret: GOCSPX-{u20-60}
Google access token: ya29.{v20-2048}
Google refresh token: 1//0{u40-200}
Google authorization code: 4/0A{u40-200}
Google messaging key: AAAA{u7}:{u140}
Google reCAPTCHA key: 6L{u38} #mixed
Google Cloud Storage HMAC key: GOOG1E{N55-57}
Google Cloud Storage user HMAC key: GOOG{N20}
[aws]
AWS access key: AKIA{N16}
AWS temporary key: ASIA{N16}
AWS bearer token: ABIA{N16}
AWS context credential: ACCA{N16}
AWS old access key: A3T{N17} #digit
AWS session token: (IQoJb3JpZ2lu|FwoGZXIv|FQoGZXIv|FwoDYXdz){b100+}
Amazon Bedrock key: ABSK{p80+}
Amazon Bedrock short-lived key: bedrock-api-key-{p24+}
Amazon AppSync key: da2-{n26}
Amazon Marketplace token: amzn.mws.{uuid}
Amazon OAuth client secret: amzn1.oa2-cs.v1.{h64}
Amazon login token: Atza\\|{p60+}
[azure]
Azure DevOps token: {m76}AZDO{m4}
Azure AD client secret: {t3}{d1}Q~{t31-34}
Azure storage key: AccountKey={b86}==
Azure shared access key: SharedAccessKey={b42-44}=
Azure SAS signature: sig={c43-70}(%3D|%3d|=)
Azure identifiable key: {m52}JQQJ9{m27}
Azure storage identifiable key: {b76}+ASt{b6}==
Azure Cosmos DB identifiable key: {b76}ACDb{b6}==
Azure Batch identifiable key: {b76}+ABa{b6}==
Azure container registry key: {b42}+ACR{m6}
Azure Redis identifiable key: {b33}AzCa{b6}=
Azure Service Bus identifiable key: {b33}+ASb{b6}=
Azure Event Hubs identifiable key: {b33}+AEh{b6}=
Azure IoT identifiable key: {b33}AIoT{b6}=
Azure Functions identifiable key: {u44}AzFu{u6}==
Azure Search identifiable key: {m42}AzSe{m6}
Azure refresh token: (0|1).A{u50-140}.Ag{u200+}
Microsoft Teams webhook: .webhook.office.com/webhookb2/{s80-400}
[npm]
npm token: npm_{m36} #base62
[pypi]
PyPI token: pypi-{u50+}
[digitalocean]
DigitalOcean token: do(p|o|r)_v1_{m64}
DigitalOcean Spaces key: DO00{N16} #digit
DigitalOcean inference key: sk-do-{u40-100}
[linear]
Linear API key: lin_api_{w30-128}
Linear OAuth token: lin_oauth_{w30-128}
Linear webhook secret: lin_wh_{m30-80}
[notion]
Notion token: ntn_{m40-60}
Notion old token: secret_{m43}
[twilio]
Twilio key: SK{m32} #digit
[sendgrid]
SendGrid key: SG.{u16-32}.{u16-64}
[postman]
Postman key: PMAK-{m24}-{m34}
Postman collection key: PMAT-{m26}
[private-key]
Bitcoin extended private key: (x|y|z|t)prv{B107-108}
Bitcoin private key: (Kw|Kx|Ky|Kz|L1|L2|L3|L4|L5){B50} #mixed
Bitcoin uncompressed private key: 5(H|J|K){B49} #mixed
age secret key: AGE-SECRET-KEY-1{N58} #bech32
PEM private key: -----BEGIN {k0-60}PRIVATE KEY(| BLOCK)-----{pem}(-----END {k0-60}PRIVATE KEY(| BLOCK)-----|)
[jwt]
JSON Web Token: eyJ{u8+}.eyJ{u4+}.{u1+}
JSON Web Token, not signed: eyJ{u8+}.eyJ{u4+}
JSON Web Token, encrypted: eyJ{u8+}.{u0+}.{u8+}.{u8+}.{u8+}
`;

/** The characters of each alphabet, as the inside of a character class. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  d: '0-9',
  h: '0-9a-f',
  x: '0-9a-fA-F',
  l: 'a-z',
  L: 'A-Za-z',
  n: 'a-z0-9',
  N: 'A-Z0-9',
  m: 'A-Za-z0-9',
  i: 'A-Za-z0-9-',
  w: 'A-Za-z0-9_',
  u: 'A-Za-z0-9_-',
  v: 'A-Za-z0-9_.=-',
  y: 'A-Za-z0-9_=-',
  t: 'A-Za-z0-9_~.-',
  b: 'A-Za-z0-9+/',
  p: 'A-Za-z0-9+/=_-',
  c: 'A-Za-z0-9+/=_%-',
  g: 'A-Za-z0-9+/_\\\\-',
  s: 'A-Za-z0-9@/\\\\-',
  k: 'A-Z0-9 ',
  B: '1-9A-HJ-NP-Za-km-z',
};
/** Other pieces, as patterns. */
export const PIECES: Readonly<Record<string, string>> = {
  uuid: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  pem: '(?:[^-]|-(?!----)){16,16384}',
};

const any = () => true;

/** Checks that a shape can't express. */
export const CHECKS = {
  /** For shapes that words also have. */
  digit: (token: string) => /\d/.test(token.slice(3)) && /[A-Za-z]/.test(token.slice(3)),
  cases: (token: string) => /[a-z]/.test(token.slice(3)) && /[A-Z]/.test(token),
  mixed: (token: string) => /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token),
  /** Checksums. They are not looked at, because a mistyped token still shows most of the real one. */
  base62: any,
  routable: any,
  grafana: any,
  cloudflare: any,
  bech32: any,
} satisfies Readonly<Record<string, (token: string) => boolean>>;

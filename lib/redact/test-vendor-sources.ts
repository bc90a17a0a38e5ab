/**
 * Sources of the facts in `vendor-facts.ts`: public rule sets by their short names, and documents of the services by
 * host. `github` is GitHub's list of secret scanning patterns, which names kinds of tokens without their shapes; there
 * the shape is that of the service's examples.
 */
export const SOURCES = `
Anthropic API key: gitleaks, kingfisher
Anthropic admin key: gitleaks
Anthropic OAuth token: code.claude.com/docs
Anthropic session key: github
Anthropic other key: docs.claude.com
OpenAI project key: gitleaks, trufflehog
OpenAI service account key: gitleaks, trufflehog
OpenAI admin key: gitleaks, trufflehog
OpenAI key: gitleaks, noseyparker
OpenAI session key: platform.openai.com/docs
OpenRouter key: trufflehog, openrouter.ai/docs
LiteLLM key: docs.litellm.ai
Windsurf service key: docs.windsurf.com
Groq key: secretlint, trufflehog
xAI key: trufflehog, kingfisher
Perplexity key: gitleaks
Voyage AI key: docs.voyageai.com
Together AI key: docs.together.ai
Fireworks key: docs.fireworks.ai
Cerebras key: inference-docs.cerebras.ai
Replicate token: trufflehog
NVIDIA key: trufflehog, kingfisher
ElevenLabs key: trufflehog, kingfisher
Cartesia key: docs.cartesia.ai
RunPod key: docs.runpod.io
Modal token: modal.com/docs
Weights & Biases key: docs.wandb.ai
LangSmith key: trufflehog
LangSmith old key: docs.langchain.com
Langfuse secret key: trufflehog
Braintrust service token: braintrust.dev/docs
Helicone key: docs.helicone.ai
LlamaCloud key: docs.cloud.llamaindex.ai
Jina key: noseyparker
Pinecone key: trufflehog
turbopuffer key: turbopuffer.com/docs
E2B key: e2b.dev/docs
E2B access token: e2b.dev/docs
Browserbase key: docs.browserbase.com
Firecrawl key: docs.firecrawl.dev
Tavily key: docs.tavily.com
Brave Search key: api-dashboard.search.brave.com
You.com key: docs.you.com
Context7 key: context7.com/docs
Composio key: docs.composio.dev
Arcade key: docs.arcade.dev
Apify token: trufflehog
Apify proxy password: github
Cursor key: cursor.com/docs
Retell key: docs.retellai.com
Mem0 key: docs.mem0.ai
Zep key: help.getzep.com
Letta key: docs.letta.com
RubyGems key: gitleaks, kingfisher
crates.io token: kingfisher
NuGet key: kingfisher
Clojars token: gitleaks
Cachix or Nix signing key: nix.dev/manual
Docker Hub token: secretlint, trufflehog
Docker organization token: trufflehog
Docker Swarm join token: docs.docker.com
Artifactory API key: gitleaks, kingfisher
Artifactory reference token: gitleaks, trufflehog
Heroku key: gitleaks, trufflehog
Cloudflare token: developers.cloudflare.com, secretlint
Cloudflare origin CA key: gitleaks
Cloudflare Tunnel token: developers.cloudflare.com
Vercel token: secretlint
Vercel old token: vercel.com/docs
Vercel Blob token: vercel.com/docs
Netlify token: trufflehog
Fly.io token: gitleaks, trufflehog
Fly.io old token: gitleaks
Render key: render.com/docs
Scalingo token: gitleaks
Northflank token: northflank.com/docs
Deno Deploy token: trufflehog
Supabase access token: trufflehog
Supabase secret key: supabase.com/docs
Neon key: neon.com/docs
PlanetScale token: gitleaks
MongoDB Atlas secret: kingfisher
CockroachDB secret: github
ClickHouse Cloud key: gitleaks
Aiven service password: github
Aiven token: github
Xata key: xata.io/docs
Tinybird token: tinybird.co/docs
Convex deploy key: docs.convex.dev
Databricks token: gitleaks, secretlint
Databricks OAuth secret: github
Snowflake session token: docs.snowflake.com
dbt user token: docs.getdbt.com
dbt service token: docs.getdbt.com
Confluent secret: docs.confluent.io
Materialize password: materialize.com/docs
Prefect token: gitleaks
Dagster token: docs.dagster.io
Metabase key: metabase.com/docs
pganalyze key: trufflehog
Figma token: secretlint, trufflehog
Asana token: developers.asana.com
Atlassian API token: trufflehog, noseyparker
Atlassian admin key: trufflehog
Bitbucket app password: trufflehog
Bitbucket Data Center token: trufflehog
Trello token: github
Airtable token: gitleaks, kingfisher
Airtable OAuth token: trufflehog
ClickUp token: trufflehog
Plane key: developers.plane.so
Retool token: docs.retool.com
Close key: trufflehog
Teamwork token: kingfisher
WakaTime key: github
Typeform token: trufflehog
Contentful token: trufflehog
Kaggle token: kaggle.com/docs
Val Town token: docs.val.town
CodeSandbox token: codesandbox.io/docs
Kong Konnect token: developer.konghq.com
Anyscale key: docs.anyscale.com
Chroma key: docs.trychroma.com
TeamCity token: jetbrains.com/help/teamcity
YouTrack token: jetbrains.com/help/youtrack
ngrok token: kingfisher
Cloudflare Turnstile secret: developers.cloudflare.com
Other key that begins with sk-: platform.moonshot.ai
Supermemory key: supermemory.ai/docs
Upstage key: console.upstage.ai/docs
Facebook app token: gitleaks
Beamer key: gitleaks, kingfisher
Neptune token: docs.neptune.ai
Gitpod token: gitpod.io/docs
Akamai token: github
Jenkins token: jenkins.io/doc
Scale AI key: scale.com/docs
Friendli token: friendli.ai/docs
Elastic Cloud key: elastic.co/docs
Yandex Cloud static secret: gitleaks
Dropbox token: kingfisher
Cal.com key: cal.com/docs
Nylas key: developer.nylas.com
HubSpot token: trufflehog
Intercom token: github
Salesforce session: trufflehog
Salesforce refresh token: trufflehog
Klaviyo key: trufflehog
Shopify access token: gitleaks, secretlint
Shopify custom app token: gitleaks, secretlint
Shopify private app token: gitleaks, secretlint
Shopify shared secret: gitleaks, secretlint
Shopify other token: github
Square access token: gitleaks
Square token: trufflehog
Square OAuth secret: trufflehog
Braintree access token: github
PayPal access token: developer.paypal.com
Plaid access token: trufflehog
Adyen key: github
Checkout.com key: github
Mollie key: docs.mollie.com
GoCardless token: trufflehog
Lob key: trufflehog
Razorpay key: trufflehog
Flutterwave key: gitleaks, trufflehog
Pagar.me key: trufflehog
Mercado Pago token: github
Paddle key: github
Polar token: polar.sh/docs
Ramp secret: trufflehog
Mercury token: docs.mercury.com
EasyPost key: gitleaks
Shippo token: gitleaks
Duffel token: gitleaks
Flexport token: trufflehog
Coinbase key name: trufflehog
Robinhood key: trufflehog
IEX Cloud key: trufflehog
Finage key: trufflehog
Mailchimp key: trufflehog
Mandrill key: mailchimp.com/developer
Mailgun key: trufflehog
Mailgun new key: trufflehog
Brevo key: gitleaks, trufflehog
Brevo SMTP key: github
Resend key: resend.com/docs
MailerSend token: developers.mailersend.com
Courier key: courier.com/docs
Segment token: kingfisher
Telnyx key: developers.telnyx.com
Telegram bot token: kingfisher, core.telegram.org
Telegram bot URL: core.telegram.org
Discord bot token: kingfisher, docs.discord.com
Discord webhook: trufflehog
Discord MFA token: github
Mattermost webhook: docs.mattermost.com
Google Chat webhook: developers.google.com/workspace/chat
Zapier webhook: trufflehog
Make webhook: help.make.com
IFTTT webhook: help.ifttt.com
Tines webhook: trufflehog
Svix webhook secret: standardwebhooks.com
n8n key: docs.n8n.io
Twitch token: dev.twitch.tv/docs
Facebook token: gitleaks
Instagram token: github
X bearer token: developer.x.com
LinkedIn secret: github
Pinterest token: github
Mapbox secret token: trufflehog, kingfisher
Mapbox temporary token: kingfisher
LocationIQ key: trufflehog
New Relic user key: trufflehog
New Relic license key: trufflehog
New Relic insert key: trufflehog
New Relic browser key: gitleaks, trufflehog
New Relic mobile token: trufflehog
Grafana service account token: gitleaks, grafana.com/docs
Grafana Cloud token: gitleaks, secretlint
Grafana API key: gitleaks
Sentry organization token: gitleaks
Sentry user token: gitleaks
Sentry app token: docs.sentry.io
PostHog personal key: trufflehog
PostHog feature flags key: posthog.com/docs
Honeycomb key: docs.honeycomb.io
Dynatrace token: gitleaks, kingfisher
Logfire token: logfire.pydantic.dev
Axiom token: axiom.co/docs
LaunchDarkly key: trufflehog
DevCycle key: github
Statsig secret: docs.statsig.com
ConfigCat key: configcat.com/docs
LogicMonitor token: github
Rootly token: trufflehog
incident.io key: docs.incident.io
Adafruit IO key: trufflehog
Ubidots token: trufflehog
Samsara token: github
Cloudinary URL: cloudinary.com/documentation
Frame.io token: gitleaks
Bannerbear key: trufflehog
Doppler token: trufflehog, gitleaks
Vault token: gitleaks, secretlint
Terraform token: gitleaks
1Password service account token: gitleaks, secretlint
1Password secret key: gitleaks
Infisical token: infisical.com/docs
Bitwarden machine token: bitwarden.com/help
Pulumi token: gitleaks, kingfisher
Infracost key: gitleaks
Harness token: gitleaks
Octopus Deploy key: gitleaks, trufflehog
CircleCI token: trufflehog
Buildkite token: trufflehog
SonarQube token: docs.sonarsource.com
SonarQube Cloud token: trufflehog
Snyk token: docs.snyk.io
Socket token: docs.socket.dev
Endor Labs key: trufflehog
Spectral key: trufflehog
TruffleHog key: trufflehog
StackHawk key: kingfisher
Nightfall key: trufflehog
Sourcegraph token: gitleaks
Sourcegraph Cody token: trufflehog
Tailscale key: docs.tailscale.com, secretlint
Defined Networking key: github
Portainer token: trufflehog
OpenShift token: gitleaks
Rancher token: ranchermanager.docs.rancher.com
Dependency-Track key: kingfisher
Alibaba access key: gitleaks, trufflehog
Tencent Cloud key: github
Volcengine key: github
Yandex Cloud key: github
Yandex Cloud IAM token: github
Exoscale key: community.exoscale.com
Scaleway key: scaleway.com/docs
UpCloud token: upcloud.com/docs
Ionic token: kingfisher
Adobe client secret: gitleaks, kingfisher
Authress key: gitleaks
Stytch secret: github
Okta token: trufflehog
Ory token: ory.com/docs
Unkey key: unkey.com/docs
Onfido key: github
ReadMe key: gitleaks
Ghost admin key: docs.ghost.org
42 Intra secret: gitleaks
SettleMint token: gitleaks
MaxMind key: gitleaks
Lichess token: github
Fullstory key: trufflehog
Zoho token: trufflehog
Tableau token: trufflehog
SaladCloud key: trufflehog
Voiceflow key: trufflehog
Fleetbase key: trufflehog
dfuse key: trufflehog, kingfisher
Ticket Tailor key: trufflehog
Zuplo key: github
PubNub secret key: pubnub.com/docs
Liveblocks key: liveblocks.io/docs
Trigger.dev key: trigger.dev/docs
Inngest signing key: inngest.com/docs
Persona key: github
Hugging Face token: gitleaks, trufflehog
Hugging Face organization token: gitleaks, trufflehog
GitHub personal token: github.blog, gitleaks
GitHub OAuth token: github.blog, gitleaks
GitHub user-to-server token: github.blog, gitleaks
GitHub server-to-server token: github.blog, gitleaks
GitHub installation token: secretlint
GitHub refresh token: github.blog, kingfisher
GitHub fine-grained token: gitleaks, secretlint
GitLab personal token: gitleaks, docs.gitlab.com
GitLab deploy token: gitleaks, docs.gitlab.com
GitLab runner token: gitleaks, docs.gitlab.com
GitLab job token: gitleaks, docs.gitlab.com
GitLab pipeline trigger token: gitleaks, docs.gitlab.com
GitLab feed token: gitleaks, docs.gitlab.com
GitLab incoming mail token: gitleaks, docs.gitlab.com
GitLab agent token: gitleaks, docs.gitlab.com
GitLab SCIM token: gitleaks, docs.gitlab.com
GitLab OAuth secret: gitleaks, docs.gitlab.com
GitLab feature flags token: gitleaks, docs.gitlab.com
GitLab workspace token: docs.gitlab.com
GitLab registration token: gitleaks
GitLab session cookie: gitleaks
Slack bot token: gitleaks, trufflehog
Slack user token: gitleaks, trufflehog
Slack cookie token: docs.slack.dev
Slack app token: gitleaks, secretlint
Slack configuration token: gitleaks
Slack workflow token: docs.slack.dev
Slack webhook: gitleaks, trufflehog
Stripe secret key: gitleaks, secretlint
Stripe restricted key: gitleaks, secretlint
Stripe organization key: docs.stripe.com
Stripe webhook secret: docs.stripe.com
Stripe payment client secret: trufflehog
Google API key: gitleaks, noseyparker
Google API key, new form: ai.google.dev
Google client secret: noseyparker
Google access token: noseyparker
Google refresh token: developers.google.com/identity
Google authorization code: developers.google.com/identity
Google messaging key: github
Google reCAPTCHA key: cloud.google.com/recaptcha
Google Cloud Storage HMAC key: docs.cloud.google.com/storage
Google Cloud Storage user HMAC key: docs.cloud.google.com/storage
AWS access key: gitleaks, trufflehog
AWS temporary key: gitleaks, trufflehog
AWS bearer token: gitleaks, docs.aws.amazon.com/IAM
AWS context credential: gitleaks, docs.aws.amazon.com/IAM
AWS old access key: gitleaks
AWS session token: github, docs.aws.amazon.com/IAM
Amazon Bedrock key: gitleaks
Amazon Bedrock short-lived key: gitleaks
Amazon AppSync key: trufflehog
Amazon Marketplace token: noseyparker
Amazon OAuth client secret: github
Amazon login token: github
Azure DevOps token: kingfisher
Azure AD client secret: gitleaks, trufflehog
Azure storage key: trufflehog
Azure shared access key: kingfisher
Azure SAS signature: trufflehog
Azure identifiable key: noseyparker
Azure storage identifiable key: github
Azure Cosmos DB identifiable key: github
Azure Batch identifiable key: github
Azure container registry key: trufflehog
Azure Redis identifiable key: github
Azure Service Bus identifiable key: github
Azure Event Hubs identifiable key: github
Azure IoT identifiable key: github
Azure Functions identifiable key: github
Azure Search identifiable key: github
Azure refresh token: trufflehog
Microsoft Teams webhook: gitleaks, trufflehog
npm token: github.blog, gitleaks
PyPI token: gitleaks, trufflehog
DigitalOcean token: gitleaks, trufflehog
DigitalOcean Spaces key: docs.digitalocean.com
DigitalOcean inference key: docs.digitalocean.com
Linear API key: gitleaks, secretlint
Linear OAuth token: github
Linear webhook secret: linear.app/developers
Notion token: gitleaks, secretlint
Notion old token: trufflehog
Twilio key: gitleaks
SendGrid key: trufflehog, secretlint
Postman key: gitleaks
Postman collection key: github
Bitcoin extended private key: github.com/bitcoin/bips
Bitcoin private key: en.bitcoin.it
Bitcoin uncompressed private key: en.bitcoin.it
age secret key: gitleaks, age-encryption.org
PEM private key: gitleaks, rfc-editor.org/rfc/rfc7468
JSON Web Token: rfc-editor.org/rfc/rfc7519
JSON Web Token, not signed: rfc-editor.org/rfc/rfc7519
JSON Web Token, encrypted: rfc-editor.org/rfc/rfc7516
`
  .trim()
  .split('\n')
  .map((line) => {
    const colon = line.lastIndexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2).split(', ')] as const;
  });

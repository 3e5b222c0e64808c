//! How a request travels: one connection, one request, the body read up to a limit, and every refusal given its class.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Response, StatusCode};
use tower::Service;

use super::classify;
use super::endpoint::{EndpointError, Target};
use crate::error::ModelError;

/// The largest body that is read, in bytes.
const LARGEST: usize = 1 << 20;
/// The longest that connecting may take.
const CONNECTING: Duration = Duration::from_secs(10);
/// The name under which a request says who it is; a server that repeats it repeats the same one.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-client-request-id");

/// A client that follows no redirects, so that a key only goes where it was meant to.
pub(super) fn client(loopback: bool) -> Result<Client, EndpointError> {
    // Where another part of the program has chosen a provider already, that one serves as well.
    rustls::crypto::ring::default_provider().install_default().ok();
    let builder = || {
        let builder = Client::builder()
            .redirect(Policy::none())
            // A connection that a server has closed meanwhile would look like one that broke after it was paid for.
            .pool_max_idle_per_host(0)
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECTING)
            .user_agent(concat!("loopwright/", env!("CARGO_PKG_VERSION")));
        // A proxy cannot reach this machine's own servers.
        if loopback { builder.no_proxy() } else { builder }
    };
    // A machine without certificates of its own still knows the public authorities.
    let public = || webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().filter_map(|der| Certificate::from_der(der).ok());
    let built = builder().build().or_else(|_| builder().tls_certs_only(public()).build());
    built.map_err(|error| EndpointError::Client { message: error.to_string() })
}

/// What carries a request of the client crate; its errors are [`ModelError`]s in a box.
pub(super) fn service(
    http: Client,
    target: Target,
) -> impl Service<
    HttpRequestFactory,
    Response = Response,
    Error = OpenAIError,
    Future = impl Future<Output = Result<Response, OpenAIError>> + Send,
> + Clone
+ Send
+ Sync
+ 'static {
    tower::service_fn(move |factory: HttpRequestFactory| {
        let (http, target) = (http.clone(), target.clone());
        async move {
            let request = factory.build().await?;
            carry(&http, &target, request).await.map_err(|error| OpenAIError::Boxed(Box::new(error)))
        }
    })
}

async fn carry(http: &Client, target: &Target, mut request: reqwest::Request) -> Result<Response, ModelError> {
    let id = request_id();
    if let Ok(value) = HeaderValue::from_str(&id) {
        request.headers_mut().insert(REQUEST_ID, value);
    }
    let response = http.execute(request).await.map_err(|error| broken(&error, target))?;
    let status = response.status();
    let retry_after = classify::retry_after(response.headers());
    let echoed = response.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let location = response.headers().get("location").and_then(|value| value.to_str().ok()).map(str::to_owned);
    if status.is_redirection() {
        let to = location.unwrap_or_else(|| "nowhere".to_owned());
        let message = target.told(&format!("the address leads on to {to}; name that one"));
        return Err(ModelError::BadRequest { status: status.as_u16(), message });
    }
    let body = read(response, target, status).await?;
    if !status.is_success() {
        return Err(classify::refusal(status.as_u16(), &body, retry_after, target));
    }
    if echoed.is_some_and(|echoed| echoed != id) {
        let message = "it is addressed to another request".to_owned();
        return Err(ModelError::Malformed { message });
    }
    classify::hidden_refusal(&body, retry_after, target)?;
    Ok(Response::from(http::Response::new(body)))
}

/// The body as text without the key, up to the limit.
async fn read(mut response: Response, target: &Target, status: StatusCode) -> Result<String, ModelError> {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => break,
            Ok(Some(chunk)) if bytes.len() + chunk.len() > LARGEST => {
                // Of a refusal the beginning says enough.
                if !status.is_success() {
                    break;
                }
                let message = format!("it is larger than the {LARGEST} bytes that are read");
                return Err(ModelError::Malformed { message });
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Err(_) if !status.is_success() => break,
            Err(error) => return Err(broken(&error, target)),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(target.redacted(&text)),
        Err(error) if !status.is_success() => Ok(target.redacted(&String::from_utf8_lossy(error.as_bytes()))),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            Err(ModelError::Malformed { message: format!("it is not UTF-8: byte {offset} cannot be read") })
        }
    }
}

/// A failure of the connection, told by whether the request can have been answered.
fn broken(error: &reqwest::Error, target: &Target) -> ModelError {
    let mut causes = Vec::new();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(source) = cause {
        causes.push(source.to_string());
        cause = source.source();
    }
    let message = target.told(&causes.pop().unwrap_or_else(|| "no reason is known".to_owned()));
    if error.is_connect() {
        ModelError::Unreachable { place: target.place().to_owned(), message }
    } else if error.is_decode() {
        ModelError::Malformed { message: format!("the body cannot be decoded: {message}") }
    } else {
        ModelError::Broken { message }
    }
}

/// A name that no other request has; the standard library seeds its hashers from the operating system's randomness.
fn request_id() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("lw-{:016x}{:016x}", word(), word())
}

//! What differs between a game of its own and one in a browser: the client, the body of an answer, and what a failure is called.
//!
//! A browser makes the call itself. It follows redirects, unpacks answers, and says of a server that is not there, or does not allow
//! the page, only that the call has failed.

use super::config::HttpConfig;
use reqwest::{Client, Error, Response};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::*;
    use rustls::crypto::{CryptoProvider, ring};

    pub fn client(config: &HttpConfig, is_plain: bool) -> Result<Client, Error> {
        // An error says that the game has chosen its own provider meanwhile.
        if CryptoProvider::get_default().is_none() {
            let _ = ring::default_provider().install_default();
        }
        let mut client = Client::builder()
            .user_agent(concat!(
                env!("CARGO_PKG_NAME"),
                "/",
                env!("CARGO_PKG_VERSION")
            ))
            .no_proxy()
            .referer(false)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .pool_max_idle_per_host(0)
            .connect_timeout(config.connect_timeout)
            // No `timeout`: it would cover the whole stream. Each call has its own deadline.
            .read_timeout(config.read_timeout);
        if is_plain {
            // Plain HTTP needs no certificates: spare the time to load them, and work where there are none.
            client = client.tls_certs_only([]);
        }
        client.build()
    }

    pub struct Body(Response);

    impl Body {
        pub fn of(response: Response) -> Self {
            Self(response)
        }

        pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
            Ok(self.0.chunk().await?.map(Vec::from))
        }
    }

    pub fn is_unreachable(error: &Error) -> bool {
        error.is_connect()
    }

    /// How the body is packed, if it is.
    pub fn packed(response: &Response) -> Option<String> {
        let value = response.headers().get(reqwest::header::CONTENT_ENCODING)?;
        let text = String::from_utf8_lossy(value.as_bytes());
        let text = text.trim().to_ascii_lowercase();
        // What is no packing, such as `utf-8`, is passed over.
        let known = ["gzip", "x-gzip", "compress", "deflate", "br", "zstd"];
        known
            .iter()
            .any(|known| text.contains(known))
            .then_some(text)
    }
}

#[cfg(target_arch = "wasm32")]
mod web {
    use super::*;
    use futures_lite::{Stream, StreamExt};
    use std::pin::Pin;

    pub fn client(_: &HttpConfig, _: bool) -> Result<Client, Error> {
        Client::builder().build()
    }

    pub struct Body(Pin<Box<dyn Stream<Item = Result<Vec<u8>, Error>>>>);

    impl Body {
        pub fn of(response: Response) -> Self {
            let chunks = response.bytes_stream();
            Self(Box::pin(chunks.map(|chunk| chunk.map(Vec::from))))
        }

        pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
            self.0.next().await.transpose()
        }
    }

    pub fn is_unreachable(error: &Error) -> bool {
        error.is_request()
    }

    pub fn packed(_: &Response) -> Option<String> {
        None
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) use native::*;
#[cfg(target_arch = "wasm32")]
pub(super) use web::*;

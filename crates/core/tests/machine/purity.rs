//! purity

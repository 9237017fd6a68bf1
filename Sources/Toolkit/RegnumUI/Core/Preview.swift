// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A type that declares views shown during development. Only tests that render them evaluate them.
@MainActor @preconcurrency public protocol PreviewProvider {
    /// The type of the views.
    associatedtype Previews: View
    /// The views shown during development.
    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

#if Previews
    /// Declares a preview in the form of Xcode 15 and later. Its views are type-checked but never evaluated.
    ///
    /// ```swift
    /// #Preview("All dogs") {
    ///     AllDogs()
    /// }
    /// ```
    ///
    /// The macro requires the trait `Previews`, which fetches swift-syntax. Put views that a test renders into a
    /// ``PreviewProvider``.
    ///
    /// - Parameters:
    ///   - name: The name of the preview in Xcode.
    ///   - body: The views of the preview.
    @freestanding(declaration)
    public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
        #externalMacro(module: "RegnumMacros", type: "PreviewMacro")
#endif

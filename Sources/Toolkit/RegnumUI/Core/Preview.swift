// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Views shown during development. They are evaluated only by tests that render them.
@MainActor @preconcurrency public protocol PreviewProvider {
    /// The type of the previews.
    associatedtype Previews: View
    /// The views of the preview.
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

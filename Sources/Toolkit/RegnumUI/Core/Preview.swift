// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Views for a person who works on a program. They are run only by a test that asks for them.
@MainActor @preconcurrency public protocol PreviewProvider {
    /// The type of views.
    associatedtype Previews: View
    /// The views.
    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

#if Previews
    /// A preview in the form of Xcode 15 and later. Its views are type-checked, and nothing of them is run.
    ///
    /// ```swift
    /// #Preview("All dogs") {
    ///     AllDogs()
    /// }
    /// ```
    ///
    /// The macro needs the trait `Previews`, which fetches swift-syntax. Views that a test shows belong into a
    /// ``PreviewProvider``.
    ///
    /// - Parameters:
    ///   - name: What Xcode calls the preview.
    ///   - body: The views.
    @freestanding(declaration)
    public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
        #externalMacro(module: "RegnumMacros", type: "PreviewMacro")
#endif
